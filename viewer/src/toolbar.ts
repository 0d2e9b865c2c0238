// Bar at the top: state of the connection, time controls, who drives, what is shown.
import { el, fixed, setText } from './dom';
import { Help } from './help';
import { Driver } from './input/driver';
import { Flag, LiveState, Run } from './model';

export class Toolbar {
  readonly element: HTMLElement;
  private readonly dot = el('span', { class: 'dot', 'aria-hidden': 'true' });
  private readonly state = el('span', { class: 'state', text: 'connecting' });
  private readonly facts = el('span', { class: 'facts-line' });
  private readonly time = el('span', {});
  private readonly tools = el('div', { class: 'tools', role: 'group', 'aria-label': 'Time' });
  private readonly views = el('div', { class: 'tools', role: 'group', 'aria-label': 'View' });
  private readonly name = el('span', { class: 'name' });
  private readonly take = el('button', { class: 'take', text: 'Take the wheel', hidden: true });
  private readonly pause = el('button', { text: 'Pause', 'data-act': 'pause' });
  private readonly selector = el('button', { text: 'Forward', hidden: true, title: 'Selector (E forward, Q reverse)' });
  private readonly range = el('button', { text: 'High', hidden: true, title: 'Range of the transfer case (Y), at rest' });
  private readonly parking = el('button', { text: 'P brake', hidden: true, 'aria-label': 'Parking brake', 'aria-pressed': 'false', title: 'Parking brake (B)' });
  private readonly factor = el('output', { class: 'factor', text: '1 ×', 'aria-label': 'Speed factor, wanted and actual' });
  private readonly buttons = new Map<string, HTMLButtonElement>();

  constructor(private readonly act: (id: string) => void, help: () => void) {
    this.take.addEventListener('click', () => this.act('take'));
    this.pause.addEventListener('click', () => this.act('pause'));
    this.range.addEventListener('click', () => this.act('range'));
    this.parking.addEventListener('click', () => this.act('parkingBrake'));
    this.selector.addEventListener('click', () => this.act(this.reverse ? 'selectForward' : 'selectReverse'));
    this.facts.append(this.time);
    const helpButton = el('button', { text: '?', 'aria-label': 'Help: keys and settings', title: 'Keys and settings (?)', onclick: help });
    this.element = el('header', { class: 'toolbar' }, el('h1', { class: 'logo', text: 'camber' }), this.dot, this.state, this.tools, this.name, this.facts, this.views, this.selector, this.range, this.parking, this.take, helpButton);
  }
  private reverse = false;

  /** Buttons for a drive or a recording. */
  open(mode: 'live' | 'replay', run: Run, help: Help): void {
    setText(this.name, run.name);
    this.name.title = run.about;
    const hint = (code: string): string => help.name(code);
    const button = (id: string, text: string, title: string, toggle = false): HTMLButtonElement => {
      const made = el('button', { text, title, 'data-act': id, 'aria-pressed': toggle ? 'false' : undefined, onclick: () => this.act(id) });
      this.buttons.set(id, made);
      return made;
    };
    if (mode === 'live') {
      this.tools.append(this.pause, button('step', 'Step', `Single step (${hint('Period')})`), button('slower', '−', 'Slower ([)'), this.factor, button('faster', '+', 'Faster (])'), button('back', '↶ 3 s', 'Back by 3 s (Backspace)'), button('reset', 'Reset', `To the start (${hint('KeyR')})`));
      this.buttons.get('slower')!.setAttribute('aria-label', 'Slower');
      this.buttons.get('faster')!.setAttribute('aria-label', 'Faster');
      this.take.hidden = false;
      this.selector.hidden = run.controls?.reverse === false;
      this.range.hidden = !run.controls?.ranges;
      this.parking.hidden = run.controls?.parking_brake === false;
    }
    this.views.append(button('camera', 'Camera', `Next camera (${hint('KeyC')}, 1 to 6)`), button('xray', 'X-ray', `Suspension (${hint('KeyX')})`, true), button('forces', 'Forces', `Forces (${hint('KeyV')})`, true),
      run.sensors.some((sensor) => sensor.kind === 'lidar' && (mode === 'live' || sensor.recorded)) ? button('points', 'LIDAR', `Points (${hint('KeyL')})`, true) : '', button('panels', 'Panels', `Panels (${hint('KeyF')})`, true));
  }

  /** A way back to the list that this recording is of. */
  back(text: string): void { this.tools.prepend(el('a', { href: '#', class: 'back', text: `← ${text}` })); }

  setPressed(id: string, on: boolean): void { this.buttons.get(id)?.setAttribute('aria-pressed', String(on)); }

  setStatus(status: string, text: string): void {
    this.dot.className = `dot ${status}`;
    setText(this.state, status === 'open' ? (text === 'connected' ? 'live' : text) : status === 'file' ? 'recording' : status === 'connecting' ? 'connecting' : status);
    this.state.title = text;
  }

  update(live: LiveState | null, mode: string, driving: boolean, holder: string, running: boolean, driver: Driver): void {
    if (mode === 'replay') { setText(this.state, 'recording'); return; }
    setText(this.pause, running ? 'Pause' : 'Go on');
    setText(this.take, driving ? 'Release the wheel' : holder === '' ? 'Take the wheel' : `Take the wheel from ${holder}`);
    this.reverse = driver.selector === 2;
    setText(this.selector, this.reverse ? 'Reverse' : 'Forward');
    this.parking.setAttribute('aria-pressed', String(driver.parkingBrake));
    if (!live) return;
    setText(this.range, (live.flags & Flag.lowRange) !== 0 ? 'Low' : 'High');
    const wanted = `${live.wantedFactor < 1 ? `1/${Math.round(1 / live.wantedFactor)}` : live.wantedFactor} ×`;
    // The actual factor is worth a word when it is not the wanted one.
    const off = running && Math.abs(live.actualFactor / live.wantedFactor - 1) > 0.03;
    setText(this.factor, off ? `${wanted} (${fixed(live.actualFactor, 2)})` : wanted);
    setText(this.time, `step ${fixed(live.stepTime, 0)} µs · ${live.slowSteps} over 1 ms · ${live.lateWakes} late`);
  }
}
