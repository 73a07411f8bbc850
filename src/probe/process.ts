// The entry of the measuring process: a probe needs an event loop that nobody else uses, and one that can be killed.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from './clock.ts';
import { serveProbe } from './serve-probe.ts';
import { serveThread } from './size/threads/serve-thread.ts';
import type { ThreadOrder } from './size/threads/thread-messages.ts';

/** A statement that is measured at all takes half a second alone. */
const longestSilenceMs = 3000;

if (isMainThread) serveProbe({ clock: systemClock, longestSilenceMs });
else if (parentPort !== null) void serveThread(parentPort, workerData as ThreadOrder);
