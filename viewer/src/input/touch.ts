// Touch: a slider to steer on the left, throttle and brake on the right. Release means zero.
import { clamp, el } from '../dom';
import { Driver } from './driver';

export class Touch {
  readonly element: HTMLElement;

  constructor(driver: Driver) {
    const knob = el('span', { class: 'knob' });
    const steer = el('div', { class: 'touch steer', role: 'slider', tabindex: -1, 'aria-label': 'Steer', 'aria-valuemin': -100, 'aria-valuemax': 100, 'aria-valuenow': 0 }, el('span', { class: 'word', text: '← steer →' }), knob);
    const pedal = (name: 'throttle' | 'brake'): HTMLElement => {
      const fill = el('span', { class: 'fill' });
      const element = el('div', { class: `touch pedal ${name}`, role: 'slider', tabindex: -1, 'aria-label': name, 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': 0 }, fill, el('span', { class: 'word', text: name }));
      follow(element, (event, box) => {
        // The lower half is already much: full at the upper edge.
        const part = event ? clamp(1.15 * (box.bottom - event.clientY) / box.height, 0.15, 1) : 0;
        driver.touch[name] = part;
        fill.style.setProperty('--part', part.toFixed(3));
        element.setAttribute('aria-valuenow', (100 * part).toFixed(0));
        this.changed(driver, event !== null);
      });
      return element;
    };
    follow(steer, (event, box) => {
      const part = event ? clamp(-2.3 * ((event.clientX - box.left) / box.width - 0.5), -1, 1) : 0;
      driver.touch.steer = part;
      knob.style.setProperty('--at', `${(50 - 42 * part).toFixed(1)}%`);
      steer.setAttribute('aria-valuenow', (100 * part).toFixed(0));
      this.changed(driver, event !== null);
    });
    this.element = el('section', { class: 'touches', 'aria-label': 'Touch controls' }, steer, el('div', { class: 'pedals' }, pedal('brake'), pedal('throttle')));
  }

  private changed(driver: Driver, active: boolean): void {
    driver.touch.active = active || driver.touch.steer !== 0 || driver.touch.throttle !== 0 || driver.touch.brake !== 0;
    driver.poll(performance.now());
  }
}

function follow(element: HTMLElement, move: (event: PointerEvent | null, box: DOMRect) => void): void {
  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
    move(event, element.getBoundingClientRect());
  });
  element.addEventListener('pointermove', (event) => { if (element.hasPointerCapture(event.pointerId)) move(event, element.getBoundingClientRect()); });
  for (const end of ['pointerup', 'pointercancel'] as const) element.addEventListener(end, () => move(null, element.getBoundingClientRect()));
}
