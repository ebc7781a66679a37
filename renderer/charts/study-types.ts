/** Studies that a chart can draw, with the length of each in bars; null when it has none. */
export const STUDIES = {
  sma: { label: 'SMA', title: 'Simple moving average', length: 20 },
  ema: { label: 'EMA', title: 'Exponential moving average', length: 20 },
  vwap: { label: 'VWAP', title: 'Volume-weighted average price', length: null },
  bb: { label: 'Bollinger', title: 'Bollinger bands', length: 20 },
  rsi: { label: 'RSI', title: 'Relative strength index', length: 14 },
  vol: { label: 'Volatility', title: 'Realised volatility', length: 24 },
  profile: { label: 'Profile', title: 'Volume profile', length: null },
  spread: { label: 'Spread', title: 'Price minus the first compared market', length: null },
} as const satisfies Readonly<
  Record<string, { readonly label: string; readonly title: string; readonly length: number | null }>
>
export type StudyName = keyof typeof STUDIES
export const STUDY_NAMES = Object.keys(STUDIES) as readonly StudyName[]
/** The word of a command that removes all studies. */
export const NO_STUDIES = 'plain'

/** A study with its length in bars, as a command spells it: `sma:20`. */
export interface Study {
  readonly name: StudyName
  readonly length: number | null
}

const MAX_LENGTH = 500
const WORD = /^([a-z]+)(?::(\d{1,3}))?$/

/** A study from its word; null when there is no such study, or it has no such length. */
export function studyOf(word: string): Study | null {
  const [, name = '', count] = WORD.exec(word.toLowerCase()) ?? []
  const knownName = STUDY_NAMES.find((study) => study === name)
  if (knownName === undefined) return null
  const { length } = STUDIES[knownName]
  if (count === undefined) return { name: knownName, length }
  const period = Number(count)
  return length === null || period < 2 || period > MAX_LENGTH
    ? null
    : { name: knownName, length: period }
}

export const studyWord = ({ name, length }: Study): string =>
  length === null ? name : `${name}:${length}`

export const studyLabel = ({ name, length }: Study): string =>
  length === null ? STUDIES[name].label : `${STUDIES[name].label} ${length}`

/** Studies of a command's argument: words separated by blanks. */
export const studiesOf = (text: string | undefined): readonly Study[] =>
  (text ?? '').split(' ').flatMap((word) => studyOf(word) ?? [])

/** Lines over the price that are no market of their own. */
export const GAUGE_OVERLAYS = {
  index: 'Index',
  disagreement: 'Disagreement',
  georisk: 'Geo risk',
  activity: 'Activity',
  breadth: 'Breadth',
} as const
export type GaugeOverlay = keyof typeof GAUGE_OVERLAYS

/** The same question on the other venue. */
export const PAIR_OVERLAY = 'pair'
/** The word that removes all overlays. */
export const NO_OVERLAYS = '+none'
export const MAX_OVERLAYS = 5
export const OVERLAY_WORDS: readonly string[] = [
  PAIR_OVERLAY,
  ...Object.keys(GAUGE_OVERLAYS),
  'none',
].map((name) => `+${name}`)

export type Overlay =
  | { readonly kind: 'market'; readonly ticker: string }
  | { readonly kind: 'pair' }
  | { readonly kind: 'gauge'; readonly gauge: GaugeOverlay }

const OVERLAY = /^\+\$?([a-z0-9][a-z0-9._-]*)$/i
const CONDITION_ID = /^0x[0-9a-f]{62,64}$/i
const isGauge = (name: string): name is GaugeOverlay => name in GAUGE_OVERLAYS

/** The canonical spelling of an overlay: `+KXFED-26DEC`, `+pair`; null when it is none. */
export function overlayWord(word: string): string | null {
  const name = OVERLAY.exec(word)?.[1]
  if (name === undefined) return null
  const isKept = OVERLAY_WORDS.includes(`+${name.toLowerCase()}`) || CONDITION_ID.test(name)
  return `+${isKept ? name.toLowerCase() : name.toUpperCase()}`
}

/** Overlays of a command's argument, at most five. */
export const overlaysOf = (text: string | undefined): readonly Overlay[] =>
  (text ?? '')
    .split(' ')
    .flatMap((word): readonly Overlay[] => {
      const name = word.slice(1)
      if (name === '' || word === NO_OVERLAYS) return []
      if (name === PAIR_OVERLAY) return [{ kind: 'pair' }]
      return isGauge(name) ? [{ kind: 'gauge', gauge: name }] : [{ kind: 'market', ticker: name }]
    })
    .slice(0, MAX_OVERLAYS)

/** A list of words with one of them added, or removed when it was in; `none` when it gets empty. */
export function toggleWord(text: string | undefined, word: string, none: string): string {
  const words = (text ?? '').split(' ').filter((present) => present !== '' && present !== none)
  const next = words.includes(word) ? words.filter((known) => known !== word) : [...words, word]
  return next.length === 0 ? none : next.join(' ')
}
