import type { KeyBinding } from '../../../lib/keyboard.ts'
import type { DrawnChart } from '../../../charts/price-chart.ts'
import { RANGES, type RangeChoice } from './chart-range.ts'

/** Actions of a chart's keys in its pane. */
export interface ChartActions {
  readonly chart: () => DrawnChart | null
  readonly isByKey: () => boolean
  stepTimeframe(by: 1 | -1): void
  nextScale(): void
  nextType(): void
  toggleTable(): void
  toggleCrosshair(): void
  stepCrosshair(by: 1 | -1): void
  clearFills(): void
  toggleShared(): void
  openMenu(): void
  openDateForm(): void
  openAlertForm(): void
  showRange(choice: RangeChoice): void
  showNow(): void
  openStudies(): void
  openCompare(): void
  openDrawings(): void
  openMarks(): void
  stepMark(by: 1 | -1): void
}

/** Key bindings of a chart pane. */
export const chartKeys = (act: ChartActions): readonly KeyBinding[] => [
  { chord: '[', label: 'narrower bars', run: () => act.stepTimeframe(-1) },
  { chord: ']', label: 'wider bars', run: () => act.stepTimeframe(1) },
  { chord: 'v', label: 'next chart type', run: () => act.nextType() },
  { chord: 'y', label: 'next price scale: auto, 0 to 100¢, log-odds', run: () => act.nextScale() },
  ...RANGES.map((choice, index): KeyBinding => ({
    chord: String(index + 1),
    label: `range: ${choice.title.toLowerCase()}`,
    run: () => act.showRange(choice),
  })),
  { chord: 's', label: 'add or remove a study', run: () => act.openStudies() },
  { chord: 'o', label: 'compare with a market or gauge', run: () => act.openCompare() },
  { chord: 'p', label: 'draw a line, range, move or text', run: () => act.openDrawings() },
  { chord: 'x', label: 'choose which events are marked', run: () => act.openMarks() },
  { chord: 'j', label: 'next marked event', run: () => act.stepMark(1) },
  { chord: 'k', label: 'previous marked event', run: () => act.stepMark(-1) },
  { chord: 'd', label: 'jump to a date', run: () => act.openDateForm() },
  { chord: 'a', label: 'set an alert', run: () => act.openAlertForm() },
  { chord: 'm', label: 'menu at the crosshair', run: () => act.openMenu() },
  { chord: 'ContextMenu', label: 'menu at the crosshair', run: () => act.openMenu() },
  { chord: 'Shift+F10', label: 'menu at the crosshair', run: () => act.openMenu() },
  { chord: 'n', label: 'back to now', run: () => act.showNow() },
  { chord: 't', label: 'show as table', run: () => act.toggleTable() },
  { chord: '[Shift]++', label: 'zoom in', run: () => act.chart()?.zoom(1.4) },
  { chord: '-', label: 'zoom out', run: () => act.chart()?.zoom(1 / 1.4) },
  { chord: '0', label: 'reset the view', run: () => act.chart()?.reset() },
  { chord: 'c', label: 'move the crosshair with arrow keys', run: () => act.toggleCrosshair() },
  { chord: 'e', label: 'hide backtest fills', run: () => act.clearFills() },
  { chord: 'z', label: 'share the time range in the link group', run: () => act.toggleShared() },
  {
    chord: 'ArrowLeft',
    label: 'pan or move the crosshair back',
    run: () => (act.isByKey() ? act.stepCrosshair(-1) : act.chart()?.pan(-0.1)),
  },
  {
    chord: 'ArrowRight',
    label: 'pan or move the crosshair forward',
    run: () => (act.isByKey() ? act.stepCrosshair(1) : act.chart()?.pan(0.1)),
  },
  { chord: 'Shift+ArrowLeft', label: 'one screen back', run: () => act.chart()?.pan(-1) },
  { chord: 'Shift+ArrowRight', label: 'one screen forward', run: () => act.chart()?.pan(1) },
]
