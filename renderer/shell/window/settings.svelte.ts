import type { VolumeUnit } from '../../../backend/domain/units.ts'
import { CHART_TYPES, type ChartType } from '../../charts/chart-types.ts'
import { HIDDEN_AT_FIRST, MARK_KINDS, type MarkKind } from '../../charts/mark-kinds.ts'
import { formatTimesIn, TIME_ZONES, type TimeZone } from '../../lib/format.ts'
import { readStored, writeStored, type KeyValueStore } from '../../lib/key-value-store.ts'
import { DENSITIES, THEMES, type Density, type ThemeName } from '../commands/commands.ts'

const NAME = 'augury.settings'
const VERSION = 1
const ROW_HEIGHTS: Readonly<Record<Density, number>> = { compact: 22, normal: 26, roomy: 32 }
/** Colours of rising and falling prices. */
export const PRICE_COLOURS = ['blue-orange', 'green-red'] as const
export type PriceColours = (typeof PRICE_COLOURS)[number]
export const VOLUME_UNITS: readonly VolumeUnit[] = ['usd', 'contracts']
const SCALES = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2]
/** Text sizes by name. */
export const TEXT_SIZES = { small: 0.9, normal: 1, large: 1.25 } as const
export type TextSize = keyof typeof TEXT_SIZES

/** The kinds in a stored value; those hidden at first when it has none. */
const hiddenOf = (value: unknown): readonly MarkKind[] =>
  Array.isArray(value) ? MARK_KINDS.filter((kind) => value.includes(kind)) : HIDDEN_AT_FIRST

/** The settings in a stored value; those that are missing or invalid are the defaults. */
const settingsIn = (stored: Readonly<Record<string, unknown>>) => {
  const { theme, density, scale, colours, volumeUnit, chartType, timeZone } = stored
  return {
    theme: THEMES.find((candidate) => candidate === theme) ?? 'dark',
    density: DENSITIES.find((candidate) => candidate === density) ?? 'normal',
    scale: SCALES.find((candidate) => candidate === scale) ?? 1,
    colours: PRICE_COLOURS.find((candidate) => candidate === colours) ?? 'blue-orange',
    volumeUnit: VOLUME_UNITS.find((candidate) => candidate === volumeUnit) ?? 'usd',
    chartType: CHART_TYPES.find((candidate) => candidate === chartType) ?? 'step',
    timeZone: TIME_ZONES.find((candidate) => candidate === timeZone) ?? 'local',
    hiddenMarks: hiddenOf(stored['hiddenMarks']),
  }
}

type SharedSettings = ReturnType<typeof settingsIn>
type SharedName = keyof SharedSettings

const namesIn = (value: unknown, shared: SharedSettings): readonly SharedName[] =>
  Array.isArray(value)
    ? (Object.keys(shared) as SharedName[]).filter((name) => value.includes(name))
    : []

/** The appearance of the page, stored on this machine and in the account. */
export class Settings {
  readonly #storage: KeyValueStore
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
  /** Notify when prices become stale; a permission of this machine. */
  notifies = $state(false)
  /** Id of the user whose settings these are; null for settings made without an account. */
  owner = $state<string | null>(null)
  /** Settings changed on this machine whose values the account does not have. */
  unsent = $state.raw<readonly SharedName[]>([])
  /** Settings changed in this window since it was loaded. */
  #changedHere: readonly SharedName[] = []
  #storedSettings: SharedSettings
  /** Height of a table row in px. */
  readonly rowHeight = $derived(Math.round(ROW_HEIGHTS[this.density] * this.scale))
  /** Settings of the account: all that are not a permission of this machine. */
  readonly values: SharedSettings = $derived({
    theme: this.theme,
    density: this.density,
    scale: this.scale,
    colours: this.colours,
    volumeUnit: this.volumeUnit,
    chartType: this.chartType,
    timeZone: this.timeZone,
    hiddenMarks: this.hiddenMarks,
  })

  /** The unit of volumes in a sentence. */
  get volumeName(): string {
    return this.volumeUnit === 'usd'
      ? 'dollars; contracts are valued at the current price'
      : 'contracts; dollars are divided by the current price'
  }

  /** The named text size; null for one in between. */
  get textSize(): TextSize | null {
    const names = Object.keys(TEXT_SIZES) as TextSize[]
    return names.find((name) => TEXT_SIZES[name] === this.scale) ?? null
  }

  constructor(storage: KeyValueStore) {
    this.#storage = storage
    formatTimesIn(() => this.timeZone)
    this.#storedSettings = this.values
    this.reload()
  }

  /** Reloads the stored value, which another window may have changed. */
  reload(): void {
    const stored = readStored(
      this.#storage,
      NAME,
      VERSION,
      ({ notifies, owner, unsent, ...own }) => ({
        ...settingsIn(own),
        notifies: notifies === true,
        owner: typeof owner === 'string' ? owner : null,
        unsent: namesIn(unsent, this.values),
      }),
    )
    if (stored === null) return
    Object.assign(this, stored)
    this.#storedSettings = this.values
  }

  /** The effective theme: `system` follows the machine. */
  themeInEffect(prefersLight: boolean): Exclude<ThemeName, 'system'> {
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
      ? hiddenMarks.filter((hiddenKind) => hiddenKind !== kind)
      : [...hiddenMarks, kind]
    this.save()
  }

  /** Stores a change of the user. */
  save(): void {
    const { values: sharedSettings } = this
    const names = Object.keys(sharedSettings) as SharedName[]
    const changedNames = names.filter((name) => sharedSettings[name] !== this.#storedSettings[name])
    const withChanged = (before: readonly SharedName[]) =>
      names.filter((name) => before.includes(name) || changedNames.includes(name))
    this.#changedHere = withChanged(this.#changedHere)
    this.unsent = withChanged(this.unsent)
    this.#store()
  }

  /**
   * Changes that the account of a user has to receive. Those made before this window was loaded
   * belong to the user whose settings these are.
   */
  unsentOf(user: string): readonly SharedName[] {
    if (this.owner === user) return this.unsent
    return this.unsent.filter((name) => this.#changedHere.includes(name))
  }

  /** Takes over the settings of a user's account, except for changes that it does not have. */
  replace(stored: Readonly<Record<string, unknown>>, owner: string): void {
    const unsent = this.unsentOf(owner)
    const unsentSettings = Object.fromEntries(unsent.map((name) => [name, this.values[name]]))
    Object.assign(this, settingsIn({ ...stored, ...unsentSettings }))
    this.owner = owner
    this.unsent = unsent
    this.#store()
  }

  /** The account of a user has these settings. */
  markSent(owner: string): void {
    this.owner = owner
    this.unsent = []
    this.#store()
  }

  #store(): void {
    const { values: sharedSettings, notifies, owner, unsent } = this
    this.#storedSettings = sharedSettings
    writeStored(this.#storage, NAME, VERSION, { ...sharedSettings, notifies, owner, unsent })
  }
}
