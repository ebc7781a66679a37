import { positionText, type PositionText } from './world/markdown/position-line.ts'
import { cutText, numberText, UNKNOWN, centsText } from './world/markdown/text.ts'

/** Contents of a dossier's text form; null is unknown, absent lists omit their line. */
export interface DossierText {
  readonly ticker: string
  readonly venue: string
  readonly status: string
  readonly title: string
  readonly price: number | null
  readonly bestBid: number | null
  readonly bestAsk: number | null
  readonly volume24h: number | null
  readonly volumeUnit: 'contracts' | 'usd'
  readonly openInterest: number | null
  /** ISO time. */
  readonly closeTime: string | null
  readonly suggestion: {
    readonly action: string
    readonly confidence: number
    readonly sizeHint: string
    readonly reasoning: string
    readonly positives: readonly string[]
    readonly warnings: readonly string[]
  }
  readonly regime: { readonly label: string; readonly asScore: number | null }
  readonly indicators: {
    readonly iy: number | null
    readonly cri: number | null
    readonly ee: number | null
    readonly las: number | null
    readonly tauDays: number | null
  }
  readonly diff24h?: {
    readonly price: { readonly from: number | null; readonly to: number | null }
  }
  readonly trend7d?: readonly { readonly price: number | null }[]
  readonly crossVenue: readonly {
    readonly ticker: string
    readonly venue: string
    readonly price: number | null
    readonly confidence: number
    readonly gap: number | null
    readonly suspect?: true
  }[]
  readonly contagion?: readonly {
    readonly trigger: { readonly ticker: string }
    readonly lagging: { readonly ticker: string }
    readonly direction: string
    readonly gap: number
  }[]
  readonly position?: PositionText | null
  readonly apiUrl: string
}

const TITLE_LENGTH = 200
const SHOWN_LINKS = 3
/** Condition ids are longer than this; readable tickers are shorter. */
const LONG_TICKER = 40

/** Long ids are abbreviated to their ends: `0x9f…c1`. */
const shortTicker = (ticker: string): string =>
  ticker.length > LONG_TICKER ? `${ticker.slice(0, 4)}…${ticker.slice(-2)}` : ticker

const formatCount = (value: number | null): string =>
  value === null ? UNKNOWN : Math.round(value).toLocaleString('en-US')
const amount = (value: number | null, unit: DossierText['volumeUnit']): string =>
  value === null
    ? UNKNOWN
    : unit === 'usd'
      ? `$${formatCount(value)}`
      : `${formatCount(value)} contracts`
const percent = (value: number | null): string =>
  value === null ? UNKNOWN : `${numberText(value, 0)}%`

function priceLine(text: DossierText): string {
  const { bestBid, bestAsk, closeTime, indicators } = text
  const book =
    bestBid === null && bestAsk === null
      ? ''
      : ` (bid ${numberText(bestBid, 2)} / ask ${numberText(bestAsk, 2)})`
  const parts = [
    `Price ${centsText(text.price)}${book}`,
    `vol24h ${amount(text.volume24h, text.volumeUnit)}`,
    `OI ${formatCount(text.openInterest)}`,
  ]
  if (closeTime !== null) {
    const days = indicators.tauDays === null ? '' : ` (${indicators.tauDays}d)`
    parts.push(`closes ${closeTime.slice(0, 10)}${days}`)
  }
  return parts.join(' · ')
}

const positionLine = ({ position = null }: DossierText): string | null =>
  position === null ? null : `Position: ${positionText(position)}`

function regimeLine({ regime, indicators }: DossierText): string | null {
  const { iy, cri, ee, las } = indicators
  if ([regime.asScore, iy, cri, ee, las].every((value) => value === null)) return null
  const label =
    regime.asScore === null ? UNKNOWN : `${regime.label} ${numberText(regime.asScore, 2)}`
  const yields = [`IY ${percent(iy)}`, `CRI ${numberText(cri, 2)}`, `EE ${centsText(ee)}`]
  return [`Regime: ${label}`, ...yields, `LAS ${numberText(las, 2)}`].join(' · ')
}

function changeLine({ diff24h, trend7d }: DossierText): string | null {
  const { from = null, to = null } = diff24h?.price ?? {}
  const day = from === null || to === null ? [] : [`24h: ${centsText(from)} → ${centsText(to)}`]
  const prices = (trend7d ?? []).map(({ price }) => numberText(price, 2))
  const week = prices.length === 0 ? [] : [`7d: ${prices.join(' ')}`]
  const parts = [...day, ...week]
  return parts.length === 0 ? null : parts.join(' · ')
}

function matchLine({ crossVenue }: DossierText): string | null {
  const best = crossVenue[0]
  if (best === undefined) return null
  const { ticker, venue, price, confidence, gap, suspect } = best
  const error = suspect === true ? ', probable data error' : ''
  const details = `(conf ${numberText(confidence, 2)}, gap ${centsText(gap)}${error})`
  return `Cross-venue: ${shortTicker(ticker)} ${venue} ${centsText(price)} ${details}`
}

function contagionLine({ contagion, ticker }: DossierText): string | null {
  if (contagion === undefined || contagion.length === 0) return null
  const links = contagion.slice(0, SHOWN_LINKS).map(({ trigger, lagging, direction, gap }) => {
    const size = `${numberText(Math.abs(gap), 0)}¢`
    return lagging.ticker === ticker
      ? `${direction} ${shortTicker(trigger.ticker)} ${size}`
      : `${shortTicker(lagging.ticker)} ${direction} ${size}`
  })
  return `Contagion: ${links.join(' · ')}`
}

/** A dossier as text; lines without data are omitted, unknown numbers are shown as "–". */
export function dossierMarkdown(text: DossierText): string {
  const { action, confidence, sizeHint, reasoning, positives, warnings } = text.suggestion
  const marketArguments = [
    ...positives.map((fact) => `+ ${fact}`),
    ...warnings.map((fact) => `- ${fact}`),
  ]
  const lines = [
    `# ${text.ticker} · ${text.venue} · ${text.status}`,
    text.title === '' ? null : cutText(text.title, TITLE_LENGTH),
    priceLine(text),
    `Suggestion: ${action} (${numberText(confidence, 2)}, ${sizeHint}) — ${reasoning}`,
    marketArguments.length === 0 ? null : marketArguments.join('   '),
    positionLine(text),
    regimeLine(text),
    changeLine(text),
    matchLine(text),
    contagionLine(text),
    `Next: \`GET ${text.apiUrl}\``,
  ]
  return `${lines.filter((line) => line !== null).join('\n')}\n`
}
