import type { ContagionLink, GapRecord } from '../../../backend/contract/indices.ts'
import { formatNumber } from '../../lib/format.ts'

/** Expected moves elsewhere after one market's move. */
export interface Bundle {
  readonly trigger: ContagionLink['trigger']
  /** Widest gap first. */
  readonly links: readonly ContagionLink[]
  readonly widest: number
}

/**
 * Gaps grouped by the market that moved first, the group with the widest gap first.
 * @param ticker keeps the groups that contain this market; null keeps all
 */
export function bundlesOf(
  links: readonly ContagionLink[],
  ticker: string | null,
): readonly Bundle[] {
  const ofTicker = links.filter(
    ({ trigger, lagging }) =>
      ticker === null || trigger.ticker === ticker || lagging.ticker === ticker,
  )
  return [...Map.groupBy(ofTicker, ({ trigger }) => trigger.ticker).values()]
    .flatMap((group): Bundle[] => {
      const sortedLinks = group.toSorted((left, right) => Math.abs(right.gap) - Math.abs(left.gap))
      const [first] = sortedLinks
      return first === undefined
        ? []
        : [{ trigger: first.trigger, links: sortedLinks, widest: Math.abs(first.gap) }]
    })
    .sort((left, right) => right.widest - left.widest)
}

export const RELATIONS: Readonly<Record<ContagionLink['relation'], string>> = {
  cross_venue: 'other venue',
  series_sibling: 'same series',
  theme: 'same theme',
  correlated: 'moves together',
}

const KINDS: Readonly<Record<string, string>> = {
  cross_venue: 'Other venue',
  same_event_exclusive: 'Same event',
  ladder: 'Ladder',
  series_sibling: 'Same series',
  thematic: 'Same theme',
  lead_lag: 'Lead-lag',
}
const formatPercent = (share: number): string => `${formatNumber(share * 100, 0)}%`
export const kindLabel = (kind: string): string => KINDS[kind] ?? kind

/** Track record of a kind of gap over the longest known span: `closed 24 h: 41% of 212`. */
export function recordText({ closed, n }: GapRecord): string {
  const last = closed.at(-1)
  if (last === undefined) return `${n} reported, none followed up yet`
  return `closed ${last.hours} h: ${formatPercent(last.share)} of ${last.n}`
}

/** The track record over each span, as the tooltip. */
export function recordHelp({ closed, hitRate, unproven }: GapRecord): string {
  return [
    ...closed.map(
      ({ hours, share, n }) =>
        `${formatPercent(share)} of the gap closed after ${hours} h, mean of ${n}`,
    ),
    hitRate === null
      ? 'none is one day old yet'
      : `${formatPercent(hitRate)} were smaller after one day`,
    ...(unproven ? ['no evidence yet that gaps of this kind close'] : []),
  ].join('\n')
}
