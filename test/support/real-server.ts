// The language server as it is shipped, as a process of its own.
import '../../src/server/main.ts';
