import type { VolumeUnit } from '../../../backend/domain/units.ts'
import { CHART_TYPES, type ChartType } from '../../charts/chart-types.ts'
import { HIDDEN_AT_FIRST, MARK_KINDS, type MarkKind } from '../../charts/mark-kinds.ts'
import { formatTimesIn, TIME_ZONES, type TimeZone } from '../../lib/format.ts'
import { recall, remember, type KeyValueStore } from '../../lib/key-value-store.ts'
import { DENSITIES, THEMES, type Density, type ThemeName } from '../commands/commands.ts'

const NAME = 'augury.settings'
const VERSION = 1
const ROW_HEIGHTS: Readonly<Record<Density, number>> = { compact: 22, normal: 26, roomy: 32 }
/** Colours of rising and falling prices. */
export const PRICE_COLOURS = ['blue-orange', 'green-red'] as const
export type PriceColours = (typeof PRICE_COLOURS)[number]
export const VOLUME_UNITS: readonly VolumeUnit[] = ['usd', 'contracts']
const SCALES = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2]

/** The kinds in a stored value; those hidden at first when it has none. */
const hiddenOf = (value: unknown): readonly MarkKind[] =>
  Array.isArray(value) ? MARK_KINDS.filter((kind) => value.includes(kind)) : HIDDEN_AT_FIRST

/** The appearance of the page, stored on this machine. */
export class Settings {
  readonly #keep: KeyValueStore
  theme = $state<ThemeName>('dark')
  density = $state<Density>('normal')
  scale = $state(1)
  colours = $state<PriceColours>('blue-orange')
  /** Time zone of displayed times. */
  timeZone = $state<TimeZone>('local')
  /** Unit of every volume in a list. */
  volumeUnit = $state<VolumeUnit>('usd')
  /** How a chart draws the price when its command names no type. */
  chartType = $state<ChartType>('step')
  /** Kinds of events that charts do not mark. */
  hiddenMarks = $state.raw<readonly MarkKind[]>(HIDDEN_AT_FIRST)
  /** Notify when prices become stale. */
  notifies = $state(false)
  /** Height of a table row in px. */
  readonly rowHeight = $derived(Math.round(ROW_HEIGHTS[this.density] * this.scale))

  /** The unit of volumes in a sentence. */
  get volumeName(): string {
    return this.volumeUnit === 'usd'
      ? 'dollars; contracts are valued at the current price'
      : 'contracts; dollars are divided by the current price'
  }

  constructor(keep: KeyValueStore) {
    this.#keep = keep
    formatTimesIn(() => this.timeZone)
    this.recall()
  }

  /** Reloads the stored value, which another window may have changed. */
  recall(): void {
    const keep = this.#keep
    const stored = recall(keep, NAME, VERSION, ({ theme, density, scale, notifies, ...own }) => ({
      theme: THEMES.find((known) => known === theme) ?? 'dark',
      density: DENSITIES.find((known) => known === density) ?? 'normal',
      scale: SCALES.find((known) => known === scale) ?? 1,
      notifies: notifies === true,
      colours: PRICE_COLOURS.find((known) => known === own['colours']) ?? 'blue-orange',
      volumeUnit: VOLUME_UNITS.find((known) => known === own['volumeUnit']) ?? 'usd',
      chartType: CHART_TYPES.find((known) => known === own['chartType']) ?? 'step',
      timeZone: TIME_ZONES.find((known) => known === own['timeZone']) ?? 'local',
      hiddenMarks: hiddenOf(own['hiddenMarks']),
    }))
    if (stored !== null) Object.assign(this, stored)
  }

  /** The effective theme: `system` follows the machine. */
  drawn(prefersLight: boolean): Exclude<ThemeName, 'system'> {
    if (this.theme !== 'system') return this.theme
    return prefersLight ? 'light' : 'dark'
  }

  /** Text one step larger (1) or smaller (−1), between 80 and 200 %. */
  zoom(step: 1 | -1): void {
    this.scale = SCALES[SCALES.indexOf(this.scale) + step] ?? this.scale
    this.save()
  }

  /** Marks a kind of events in charts, or hides it. */
  toggleMarks(kind: MarkKind): void {
    const { hiddenMarks } = this
    this.hiddenMarks = hiddenMarks.includes(kind)
      ? hiddenMarks.filter((known) => known !== kind)
      : [...hiddenMarks, kind]
    this.save()
  }

  save(): void {
    const { theme, density, scale, colours, notifies, volumeUnit, timeZone, chartType } = this
    const look = { theme, density, scale, colours, chartType, hiddenMarks: this.hiddenMarks }
    remember(this.#keep, NAME, VERSION, { ...look, notifies, volumeUnit, timeZone })
  }
}
