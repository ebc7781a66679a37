import { GAUGES, type Gauges } from '../gauges/index-reading.ts'
import type { SuggestedCall } from '../salient/pulls.ts'
import type { Snapshot, SalientItem, WorldHead } from '../snapshot.ts'
import { gaugeText } from '../salient/regime-shift.ts'
import type { SalientType } from '../salient/salient.ts'
import { cutText, HEADING_LENGTH } from './text.ts'
import { formsThatFit, MARKDOWN_PARAMS, tokensOf, type ItemForm } from './token-budget.ts'

/** Short names of the gauges in one line. */
export const SHORT_NAMES = {
  disagreement: 'Disagree',
  geoRisk: 'GeoRisk',
  breadth: 'Breadth',
  activity: 'Activity',
} as const

/** Fields that the label does not contain already; unknown values are left out. */
const SHOWN: Readonly<Record<SalientType, readonly string[]>> = {
  regime_shift: ['gauge', 'change', 'toLabel'],
  divergence: ['triggerTicker', 'laggingTicker', 'gap', 'relation'],
  resolving_soon: ['ticker', 'price', 'change24h', 'catalyst'],
  residual: ['ticker', 'price', 'residualVr', 'scheduledCatalyst'],
  novel: ['ticker', 'price', 'ageHours', 'volume24h'],
  consensus_break: ['ticker', 'price', 'consensusPrice', 'deviation', 'basis'],
}

/** The gauges in one line, with their short names. */
export const gaugesLine = (gauges: Gauges): string =>
  GAUGES.map((gauge) => `${SHORT_NAMES[gauge]} ${gaugeText(gauge, gauges[gauge])}`).join(' | ')

/** Contents of the header. */
export type HeaderParts = Pick<WorldHead, 'asOf' | 'regime' | 'baselineReason'>

/**
 * The four lines that every operation's text starts with.
 * @param regionPath labels from the root on, as `Region.trail`
 */
export function headerLines(head: HeaderParts, regionPath: readonly string[]): string[] {
  const at = head.asOf.slice(0, 16).replace('T', ' ')
  return [
    `# ${regionPath.map((label) => cutText(label)).join(' / ')} (${at} UTC)`,
    `Regime: ${head.regime.label}`,
    `Index: ${gaugesLine(head.regime.signals)}`,
    `Baseline: ${head.baselineReason}`,
  ]
}

/** The first two suggested calls of an item, without the price history. */
const shownPulls = (pulls: readonly SuggestedCall[]): readonly SuggestedCall[] =>
  pulls.filter(({ op }) => op !== 'history').slice(0, 2)

/** Type and label of an item. */
export const headingOf = (item: SalientItem): string =>
  `[${item.type}] ${cutText(item.label, HEADING_LENGTH)}`

function valueText(value: unknown): string {
  return typeof value === 'string' ? cutText(value) : cutText(JSON.stringify(value))
}

function fullForm(item: SalientItem): string[] {
  const body = new Map<string, unknown>(Object.entries(item.body))
  const values = SHOWN[item.type].flatMap((name) => {
    const value = body.get(name) ?? null
    return value === null ? [] : [`- ${name}: ${valueText(value)}`]
  })
  const threads = shownPulls(item.pull).map(({ label, url }) => `  → ${label} · \`GET ${url}\``)
  return ['', `## ${headingOf(item)}`, ...values, ...threads]
}

const lineForm = (item: SalientItem): string => `${headingOf(item)} — ${item.pull[0]?.url ?? ''}`

/**
 * A snapshot as text of about 800 tokens: header, top items in full, the next ones as one line
 * each, then as many child regions as fit. Ends with a line break. Methodology C5.
 * @param regionPath labels of the region from the root on
 * @param extraLines lines appended regardless of the budget (positions of the caller)
 */
export function snapshotMarkdown(
  snapshot: Snapshot,
  regionPath: readonly string[],
  extraLines: readonly string[] = [],
): string {
  const header = headerLines(snapshot, regionPath)
  const sizes = snapshot.salient.map((item) => ({
    full: tokensOf(textOf(fullForm(item))),
    line: tokensOf(textOf([lineForm(item)])),
  }))
  const usedTokens = tokensOf(textOf([...header, ...extraLines]))
  const { forms, left } = formsThatFit(MARKDOWN_PARAMS.tokens, usedTokens, sizes)
  const lines = [...header, ...itemLines(snapshot.salient, forms)]
  if (snapshot.salient.length === 0) lines.push('', 'Nothing salient since the baseline.')
  const regions = regionLine(snapshot, left)
  if (regions !== null) lines.push('', regions)
  return textOf(extraLines.length === 0 ? lines : [...lines, '', ...extraLines])
}

/** The short text: header and one line per item, within 300 tokens. */
export function compactMarkdown(
  snapshot: HeaderParts & Pick<Snapshot, 'salient'>,
  regionPath: readonly string[],
): string {
  const header = headerLines(snapshot, regionPath)
  const sizes = snapshot.salient.map((item) => ({
    full: Infinity,
    line: tokensOf(textOf([lineForm(item)])),
  }))
  const usedTokens = tokensOf(textOf(header))
  const { forms } = formsThatFit(MARKDOWN_PARAMS.compactTokens, usedTokens, sizes)
  const items = itemLines(snapshot.salient, forms)
  const rest = items.length === 0 ? ['', 'Nothing salient since the baseline.'] : items
  return textOf([...header, ...rest])
}

function itemLines(items: readonly SalientItem[], forms: readonly ItemForm[]): string[] {
  const lines: string[] = []
  for (const [rank, item] of items.entries()) {
    if (forms[rank] === 'full') lines.push(...fullForm(item))
    else if (forms[rank] === 'line') {
      if (rank === 0 || forms[rank - 1] === 'full') lines.push('')
      lines.push(lineForm(item))
    }
  }
  return lines
}

/** The child regions that fit into the remaining budget; null for none. */
function regionLine({ childRegions = [] }: Snapshot, left: number): string | null {
  const names: string[] = []
  for (const { name, teaser } of childRegions) {
    const longer = [...names, `${cutText(name)} (${teaser})`]
    if (tokensOf(`\nRegions: ${longer.join(', ')}\n`) > left) break
    names.push(longer.at(-1) ?? '')
  }
  return names.length === 0 ? null : `Regions: ${names.join(', ')}`
}

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`
