import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { peerOf } from '../../../../src/probe/size/peer-process.ts';

const server = `require('node:net').createServer((socket) => socket.write('x')).listen(0, '127.0.0.1', function () { process.stdout.write(String(this.address().port)); });`;

test.runIf(process.platform === 'linux')(
  'the other end of a connection is the process that took it',
  async () => {
    const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [port] = (await once(child.stdout, 'data')) as [Buffer];
      const socket = connect(Number(port.toString()), '127.0.0.1');
      // The system connects before the process takes the connection.
      await once(socket, 'data');
      const { localPort = 0, remotePort = 0 } = socket;
      expect(peerOf({ local: localPort, remote: remotePort })).toBe(child.pid);
      socket.destroy();
      await once(socket, 'close');
      expect(peerOf({ local: 1, remote: remotePort })).toBeNull();
    } finally {
      child.kill();
    }
  },
);
