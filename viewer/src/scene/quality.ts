// How much is drawn: by the reader's choice, or by what draws. Software GL gets the soft preset: no shadows, few pixels.
export interface Quality {
  name: 'high' | 'medium' | 'soft';
  ratio: number;        // drawn pixels per CSS pixel
  shadows: number;      // side of the shadow map, 0 none
  rich: boolean;        // ground's detail, tufts, more triangles
  lambert: boolean;     // cheap light
  sky: number;          // width of the sky's texture
  inset: number;        // frames between two pictures of the driver's camera
}

export const PRESETS: Record<Quality['name'], Quality> = {
  high: { name: 'high', ratio: 1.5, shadows: 2048, rich: true, lambert: false, sky: 1024, inset: 2 },
  medium: { name: 'medium', ratio: 1, shadows: 1024, rich: true, lambert: false, sky: 512, inset: 4 },
  soft: { name: 'soft', ratio: 0.4, shadows: 0, rich: false, lambert: true, sky: 256, inset: 12 },
};

export function isSoftware(renderer: string): boolean { return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer); }

export function chooseQuality(wish: string, renderer: string, phone: boolean): Quality {
  if (wish === 'high' || wish === 'medium' || wish === 'soft') return PRESETS[wish];
  if (isSoftware(renderer)) return PRESETS.soft;
  return phone ? PRESETS.medium : PRESETS.high;
}

/** Says when frames have been slow for long; never goes up by itself. */
export class Watch {
  private sum = 0;
  private count = 0;

  /** True if the mean of 60 frames is beyond 25 ms, so that the next lower preset is better. */
  add(milliseconds: number): boolean {
    if (milliseconds > 500) return false;  // the tab was hidden
    this.sum += milliseconds;
    if (++this.count < 60) return false;
    const slow = this.sum / this.count > 25;
    this.sum = this.count = 0;
    return slow;
  }
}
