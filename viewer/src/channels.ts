// Values of a sample by name: "wheels/load.front_left", and what the page needs of them under short names.
import { ChannelInfo, Run } from './model';

export interface Column { index: number; name: string; channel: string; column: string; unit: string; description: string }

export class Channels {
  readonly columns: Column[] = [];
  private readonly byName = new Map<string, number>();
  private readonly byChannel = new Map<string, ChannelInfo>();

  constructor(run: Run) {
    for (const channel of run.channels) {
      this.byChannel.set(channel.name, channel);
      channel.columns.forEach((column, k) => {
        const unit = Array.isArray(channel.unit) ? channel.unit[Math.min(k, channel.unit.length - 1)] ?? '' : channel.unit;
        const name = column ? `${channel.name}.${column}` : channel.name;
        const index = channel.first + k;
        this.byName.set(name, index);
        this.columns.push({ index, name, channel: channel.name, column, unit, description: channel.description });
      });
    }
  }

  /** Index in a sample; -1 if there is no such value. */
  index(name: string): number { return this.byName.get(name) ?? -1; }

  /** Indices of all columns of a channel, in order. */
  all(channel: string): number[] {
    const found = this.byChannel.get(channel);
    return found ? found.columns.map((_, k) => found.first + k) : [];
  }

  find(name: string): Column | undefined { return this.columns.find((column) => column.name === name); }

  /** First channel whose name ends so, and that has such a column. */
  ending(end: string, column: string): Column | undefined {
    return this.columns.find((c) => c.channel.endsWith(end) && c.column === column);
  }
}

/** Unit for the reader, and the factor to it. */
export function displayUnit(unit: string, name: string): { unit: string; factor: number } {
  if (unit === 'rad') return { unit: '°', factor: 180 / Math.PI };
  if (unit === 'rad/s') {
    return name.startsWith('drivetrain/') ? { unit: '1/min', factor: 30 / Math.PI }
      : name.startsWith('wheels/') ? { unit, factor: 1 } : { unit: '°/s', factor: 180 / Math.PI };
  }
  if (unit === 'm/s^2') return { unit: 'm/s²', factor: 1 };
  if (unit === 'N') return { unit: 'kN', factor: 1e-3 };
  if (unit === 'J' && name.startsWith('energy/')) return { unit: 'kJ', factor: 1e-3 };
  return { unit: unit === '1' ? '' : unit, factor: 1 };
}

/** "front_left" to "FL": wheels have the same short names everywhere. */
export function shortWheel(name: string): string {
  return name.split(/[_ ]/).map((word) => word.charAt(0).toUpperCase()).join('');
}
