import { readFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { listen, type StrangeServer } from './strange-servers.ts';

/** A certificate for `localhost` that signs itself; valid for a hundred years and of no use elsewhere. */
export const certificateFile = fileURLToPath(
  new URL('../fixtures/tls/localhost.cert.pem', import.meta.url),
);
const keyFile = fileURLToPath(new URL('../fixtures/tls/localhost.key.pem', import.meta.url));

/** Gives the PostgreSQL on `serverPort` TLS: agrees to SSLRequest, and passes on what it decrypts. */
export async function startTlsRelay(serverPort: number): Promise<StrangeServer> {
  const [cert, key] = await Promise.all([readFile(certificateFile), readFile(keyFile)]);
  return listen(
    createServer((socket: Socket) => {
      socket.once('data', () => {
        const upstream = connect(serverPort, '127.0.0.1');
        const secured = new TLSSocket(socket, { isServer: true, cert, key });
        secured.on('error', () => upstream.destroy());
        upstream.on('error', () => socket.destroy());
        secured.on('close', () => upstream.destroy());
        upstream.on('close', () => socket.destroy());
        secured.pipe(upstream).pipe(secured);
        socket.write('S');
      });
    }),
  );
}
