import type { Dispersion } from '../gauges/dispersion.ts'
import type { Hypothesis } from '../explain/explain.ts'
import { gaugesLine, headerLines } from './snapshot-markdown.ts'
import type { WorldHead } from '../snapshot.ts'
import { centsText, cutText, numberText } from './text.ts'
import type { Gauges } from '../gauges/index-reading.ts'

export type OperationTitle = 'History' | 'Catalysts' | 'Dispersion' | 'Trail' | 'Explain'

/** Text of an operation: the four header lines, its title, one bullet per row. */
export function operationMarkdown(
  head: WorldHead,
  regionPath: readonly string[],
  title: OperationTitle,
  rows: readonly string[],
): string {
  const bullets = rows.length === 0 ? ['- nothing found'] : rows.map((row) => `- ${row}`)
  return `${[...headerLines(head, regionPath), '', `## ${title}`, ...bullets].join('\n')}\n`
}

/** A point of the history; `at` as ISO text. */
export const historyRow = (
  point: Gauges & { readonly at: string; readonly regimeLabel: string },
): string =>
  `${point.at.slice(0, 16).replace('T', ' ')} · ${gaugesLine(point)} · ${point.regimeLabel}`

export const catalystRow = (entry: {
  readonly at: string
  readonly title: string
  readonly importance: string
}): string =>
  `${entry.at.slice(0, 16).replace('T', ' ')} · ${cutText(entry.title)} · ${entry.importance}`

export function dispersionRow(group: Dispersion['groups'][number]): string {
  const { label, consensus, basis, mean, stdev, marketCount } = group
  const spread =
    basis === 'implied'
      ? `${centsText(stdev)} from the prices they imply for each other`
      : `mean ${centsText(mean)}, stdev ${centsText(stdev)}`
  return `${cutText(label)} · ${consensus} · ${spread}, ${marketCount} markets`
}

/** A market of the trail: how it is linked to the one it was reached from, and its dossier. */
export const trailRow = (node: {
  readonly hop: number
  readonly title: string
  readonly price: number | null
  /** Kind of the link, and the title of the market it starts from. */
  readonly link: string
  readonly viaTitle: string
  readonly url: string
}): string => {
  const linkText = node.hop === 1 ? node.link : `${node.link}, from “${cutText(node.viaTitle, 60)}”`
  const market = `${centsText(node.price)} — ${cutText(node.title)}`
  return `${node.hop} · ${market} · ${linkText} · \`GET ${node.url}\``
}

/** The market a trail starts from. */
export const trailStartRow = (from: {
  readonly title: string
  readonly price: number | null
}): string => `from: ${centsText(from.price)} — ${cutText(from.title)}`

export const hypothesisRow = (hypothesis: Hypothesis): string =>
  `${numberText(hypothesis.confidence, 2)} ${hypothesis.kind} — ${cutText(hypothesis.summary, 160)}`
