// All channels: drag one into a plot, or press its button.
import { displayUnit } from '../channels';
import { el } from '../dom';
import { Context, Panel } from './panel';
import { PlotGroup } from './plots';

export class ChannelList extends Panel {
  private readonly list = el('ul', { class: 'channel-list' });

  constructor(context: Context, plots: PlotGroup) {
    super('channels', 'Channels', 'drag into a plot, or Enter');
    const filter = el('input', { type: 'search', placeholder: 'Filter channels', 'aria-label': 'Filter channels' });
    const target = el('select', { 'aria-label': 'Where to add channels' }, el('option', { value: 'new', text: 'to a new plot' }), el('option', { value: 'last', text: 'to the last plot' }));
    for (const column of context.channels.columns) {
      const { unit } = displayUnit(column.unit, column.name);
      const add = (): void => {
        const last = plots.plots[plots.plots.length - 1];
        if (target.value === 'last' && last) last.addColumn(column.name); else plots.add({ title: column.name, names: [column.name] })?.element.scrollIntoView({ block: 'nearest' });
        context.say(`${column.name} is plotted`);
      };
      const button = el('button', { class: 'channel', draggable: 'true', title: column.description, onclick: add }, column.name, el('span', { class: 'muted', text: unit ? ` ${unit}` : '' }));
      button.addEventListener('dragstart', (event) => event.dataTransfer?.setData('text/camber-channel', column.name));
      this.list.append(el('li', {}, button));
    }
    filter.addEventListener('input', () => {
      const words = filter.value.toLowerCase().split(/\s+/);
      for (const item of this.list.children) (item as HTMLElement).hidden = !words.every((word) => item.textContent!.toLowerCase().includes(word));
    });
    this.body.append(el('div', { class: 'row' }, filter, target), this.list);
    const drop = el('div', { class: 'drop', text: 'Drop here for a new plot' });
    drop.addEventListener('dragover', (event) => { event.preventDefault(); drop.classList.add('over'); });
    drop.addEventListener('dragleave', () => drop.classList.remove('over'));
    drop.addEventListener('drop', (event) => {
      event.preventDefault();
      drop.classList.remove('over');
      const name = event.dataTransfer?.getData('text/camber-channel');
      if (name) plots.add({ title: name, names: [name] });
    });
    this.body.append(drop);
  }

  update(): void { /* the list does not change */ }
}
