// The way to camber: token, requests, and the socket with acknowledged frames. An exported file brings its answers along
// (section 8 of the protocol) and opens no connection.
import { DriveEvent, Frame, Hello, LiveState } from './model';
import { sampleOf, StudyHello } from './study';
import { Command, Input, readState, writeAcknowledgement, writeControl, writeInput } from './protocol';

const STORED = 'camber-token';

/** Token from the address, kept for this tab alone; the address is cleaned at once. */
function findToken(): string {
  const found = /[#&]token=([0-9a-fA-F]{32})/.exec(location.hash);
  if (found) {
    try { sessionStorage.setItem(STORED, found[1]); } catch { /* private mode: this page only */ }
    const sample = sampleOf(location.hash);
    history.replaceState(null, '', location.pathname + (sample === null ? '' : `#sample=${sample}`));
    return found[1];
  }
  try { return sessionStorage.getItem(STORED) ?? ''; } catch { return ''; }
}

export type Status = 'connecting' | 'open' | 'lost' | 'refused' | 'ended' | 'file';

export interface Handlers {
  hello(hello: Hello): void;
  study(hello: StudyHello): void;
  state(live: LiveState, frame: Frame): void;
  event(event: DriveEvent): void;
  status(status: Status, text: string): void;
}

export class Connection {
  received = 0;  // state frames
  bytes = 0;
  private socket: WebSocket | null = null;
  private readonly token = findToken();
  private readonly files: Record<string, [number, number]> | null = null;  // place and length in the blob
  private blob: Promise<ArrayBuffer> | null = null;
  private inputNumber = 0;
  private attempts = 0;
  private hello: Hello | null = null;
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private recording = false;
  private prefix = '/api/';

  constructor(private readonly handlers: Handlers) {
    const inside = document.getElementById('camber-hello');
    if (inside) {
      this.files = JSON.parse(document.getElementById('camber-files')?.textContent ?? '{}') as Record<string, [number, number]>;
    }
  }

  get exported(): boolean { return this.files !== null; }

  async start(): Promise<void> {
    if (this.files) {
      this.handlers.status('file', 'recorded run in this file');
      this.handlers.hello(JSON.parse(document.getElementById('camber-hello')!.textContent ?? '') as Hello);
      return;
    }
    if (!this.token) {
      this.handlers.status('refused', 'This address has no token. Open the link that camber printed.');
      return;
    }
    this.handlers.status('connecting', 'connecting');
    const answer = await this.fetch('/api/hello').catch(() => null);
    if (!answer || answer.status !== 200) { this.refuse(answer); return; }
    let hello = await answer.json() as Hello | StudyHello;
    if (hello.kind === 'study') {
      const sample = sampleOf(location.hash);
      addEventListener('hashchange', () => location.reload());
      if (sample === null) { this.handlers.status('open', 'study'); this.handlers.study(hello); return; }
      this.handlers.status('connecting', `driving sample ${sample} …`);
      this.prefix = `/api/sample/${sample}/`;
      const run = await this.fetch('/api/hello').catch(() => null);
      if (run?.status !== 200) { this.handlers.status('refused', `Sample ${sample} cannot be opened: ${run ? await run.text() : 'no answer'}`); return; }
      hello = await run.json() as Hello;
    }
    // A recording needs requests only; a drive says hello again through its socket.
    if (hello.kind === 'live') { this.open(); return; }
    this.recording = true;
    this.handlers.status('open', 'recording');
    this.handlers.hello(hello);
  }

  private fetch(address: string): Promise<Response> { return fetch(address.replace('/api/', this.prefix), { headers: { 'X-Camber-Token': this.token } }); }

  /** Says why there was no answer. True if another try may help. */
  private refuse(answer: Response | null): boolean {
    if (answer?.status === 401) this.handlers.status('refused', 'camber was restarted: open the new link that it printed');
    else if (answer?.status === 403) this.handlers.status('refused', 'camber does not serve this address');
    else {
      this.handlers.status('lost', this.recording ? 'camber has ended: what was read is still here' : 'connection lost, trying again');
      return true;
    }
    return false;
  }

  private open(): void {
    this.handlers.status('connecting', 'connecting');
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/socket`,
      ['camber.v1', `camber.token.${this.token}`]);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onmessage = (message: MessageEvent<ArrayBuffer | string>) => this.take(message.data);
    socket.onopen = () => { this.attempts = 0; this.handlers.status('open', 'connected'); };
    socket.onclose = (event) => void this.closed(event);
  }

  private take(data: ArrayBuffer | string): void {
    if (typeof data === 'string') {
      const message = JSON.parse(data) as (Hello | (DriveEvent & { type: 'event' }));
      if (message.type === 'hello') { this.hello = message; this.handlers.hello(message); } else this.handlers.event(message);
      return;
    }
    this.bytes += data.byteLength;
    if (!this.hello || new Uint8Array(data, 0, 1)[0] !== 1) return;
    ++this.received;
    const { live, frame } = readState(data, this.hello.runs[0]);
    // Received, not drawn: a page that draws slowly still gets the newest frame.
    this.send(writeAcknowledgement(live.number));
    this.handlers.state(live, frame);
  }

  private async closed(event: CloseEvent): Promise<void> {
    this.socket = null;
    if (event.code === 1001) { this.handlers.status('ended', 'camber has ended'); return; }
    // Why the socket failed is not told to pages; a request says it.
    const answer = await this.fetch('/api/hello').catch(() => null);
    if (!this.refuse(answer?.status === 200 ? null : answer)) return;
    ++this.attempts;
    setTimeout(() => this.open(), Math.min(5000, 250 * 2 ** this.attempts));
  }

  private send(bytes: ArrayBuffer): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(bytes);
  }

  sendInput(input: Input): number {
    this.send(writeInput(input, ++this.inputNumber, performance.now()));
    return this.inputNumber;
  }

  control(command: keyof typeof Command, argument = 0): void { this.send(writeControl(Command[command], argument)); }

  /** Answer to GET, or null if there is nothing. At most four requests at a time: the socket shares the browser's six. */
  async get(address: string): Promise<ArrayBuffer | null> {
    if (this.files) {
      const place = this.files[address];
      if (place === undefined) return null;
      this.blob ??= inflate(decodeBase64(document.getElementById('camber-blob')?.textContent?.trim() ?? ''));
      return (await this.blob).slice(place[0], place[0] + place[1]);
    }
    if (this.running >= 4) await new Promise<void>((go) => this.waiting.push(go));
    ++this.running;
    try {
      for (let attempt = 0; ; ++attempt) {
        const answer = await this.fetch(address);
        if (answer.status === 503 && attempt < 4) {
          await new Promise((later) => setTimeout(later, 300 * (attempt + 1)));
          continue;
        }
        return answer.status === 200 ? await answer.arrayBuffer() : null;
      }
    } catch {
      if (this.recording) this.refuse(null);
      return null;
    } finally {
      --this.running;
      this.waiting.shift()?.();
    }
  }

  async getJson<T>(address: string): Promise<T | null> {
    const bytes = await this.get(address);
    return bytes ? JSON.parse(new TextDecoder().decode(bytes)) as T : null;
  }

  /** Clip inside an exported file. */
  exportedClip(run: number): ArrayBuffer | null {
    const text = document.getElementById(`camber-clip-${run}`)?.textContent;
    return text ? decodeBase64(text.trim()) : null;
  }
}

function inflate(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

export function decodeBase64(text: string): ArrayBuffer {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}
