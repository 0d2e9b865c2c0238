// Engine sound, only when asked for: three oscillators by engine speed and load, noise by slip. Browsers let sound begin
// with a key or a click only, and so does this.
export class Sound {
  on = false;
  private context: AudioContext | null = null;
  private master: GainNode | null = null;
  private voices: { oscillator: OscillatorNode; gain: GainNode; order: number }[] = [];
  private hiss: GainNode | null = null;

  toggle(): boolean {
    this.on = !this.on;
    if (this.on && !this.context) this.build();
    if (this.context && this.master) {
      void (this.on ? this.context.resume() : Promise.resolve());
      this.master.gain.setTargetAtTime(this.on ? 0.16 : 0, this.context.currentTime, 0.05);
    }
    return this.on;
  }

  private build(): void {
    const context = this.context = new AudioContext();
    const master = this.master = context.createGain();
    master.gain.value = 0;
    const low = context.createBiquadFilter();
    low.type = 'lowpass';
    low.frequency.value = 900;
    low.connect(master).connect(context.destination);
    // A V8 fires four times per turn; its half order makes it rumble.
    for (const [order, type, level] of [[2, 'sawtooth', 0.3], [4, 'triangle', 0.6], [1, 'sine', 0.4]] as const) {
      const oscillator = context.createOscillator(), gain = context.createGain();
      oscillator.type = type;
      gain.gain.value = level;
      oscillator.connect(gain).connect(low);
      oscillator.start();
      this.voices.push({ oscillator, gain, order });
    }
    const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < data.length; ++i) data[i] = 2 * Math.random() - 1;
    const noise = context.createBufferSource();
    noise.buffer = buffer;
    noise.loop = true;
    const band = context.createBiquadFilter();
    band.type = 'bandpass';
    band.frequency.value = 700;
    this.hiss = context.createGain();
    this.hiss.gain.value = 0;
    noise.connect(band).connect(this.hiss).connect(master);
    noise.start();
  }

  /** Engine speed [rad/s], throttle 0..1, slip of the wheels (sum). */
  update(engine: number, throttle: number, slip: number): void {
    if (!this.on || !this.context) return;
    const t = this.context.currentTime, turns = Math.max(8, Math.abs(engine) / (2 * Math.PI));
    for (const voice of this.voices) {
      voice.oscillator.frequency.setTargetAtTime(turns * voice.order, t, 0.03);
      voice.gain.gain.setTargetAtTime((0.25 + 0.5 * throttle) / Math.sqrt(voice.order), t, 0.05);
    }
    this.hiss?.gain.setTargetAtTime(Math.min(0.5, slip), t, 0.05);
  }
}
