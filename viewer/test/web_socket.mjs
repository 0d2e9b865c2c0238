// WebSocket of a test server: handshake, frames of up to 64 KiB, no fragments. Enough for one page.
import { createHash } from 'node:crypto';

export function accept(request, socket, protocol) {
  const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`);
  socket.setNoDelay(true);
  let buffered = Buffer.alloc(0);
  const peer = { message: () => {}, closed: () => {}, send, close };
  function send(data) {
    const text = typeof data === 'string', payload = Buffer.from(data);
    const head = payload.length < 126 ? Buffer.from([text ? 0x81 : 0x82, payload.length])
      : payload.length < 65536 ? Buffer.from([text ? 0x81 : 0x82, 126, payload.length >> 8, payload.length & 255])
        : Buffer.concat([Buffer.from([text ? 0x81 : 0x82, 127, 0, 0, 0, 0]), Buffer.from(Uint32Array.of(payload.length).buffer).reverse()]);
    if (!socket.destroyed) socket.write(Buffer.concat([head, payload]));
  }
  function close(code) {
    if (!socket.destroyed) { socket.write(Buffer.from([0x88, 2, code >> 8, code & 255])); socket.end(); }
  }
  socket.on('data', (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (;;) {
      if (buffered.length < 6) return;
      const op = buffered[0] & 15;
      let length = buffered[1] & 127, at = 2;
      if (length === 126) { length = buffered.readUInt16BE(2); at = 4; }
      if (buffered.length < at + 4 + length) return;
      const mask = buffered.subarray(at, at + 4), payload = Buffer.from(buffered.subarray(at + 4, at + 4 + length));
      for (let i = 0; i < length; ++i) payload[i] ^= mask[i & 3];
      buffered = buffered.subarray(at + 4 + length);
      if (op === 8) { close(1000); return; }
      if (op === 2) peer.message(payload);
    }
  });
  socket.on('close', () => peer.closed());
  socket.on('error', () => {});
  return peer;
}
