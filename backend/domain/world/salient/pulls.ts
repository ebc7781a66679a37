import { TOPICS } from '../../topics/topic-rules.ts'
import { priceHistoryUrlOf, worldUrl, type Addresses } from '../links.ts'
import type { Candidate } from './salient.ts'

export type WorldOp = 'explain' | 'dispersion' | 'history' | 'trail' | 'catalyst' | 'snapshot'

/** A suggested next call. */
export interface SuggestedCall {
  readonly op: WorldOp
  readonly label: string
  readonly url: string
  readonly structured: { readonly op: WorldOp; readonly target?: string }
}

/** The suggested calls of an item in order, two or three. */
export function pullsOf(
  candidate: Candidate,
  path: readonly string[],
  addresses: Pick<Addresses, 'baseUrl'>,
): SuggestedCall[] {
  const region = regionPath(candidate, path)
  const target = region.join('/')
  const onRegion = (op: WorldOp, label: string, query: Readonly<Record<string, string>> = {}) =>
    suggestedCall(
      op,
      label,
      worldUrl(addresses, region, { op, ...query }),
      target === '' ? null : target,
    )
  const explain = (label: string): SuggestedCall => {
    const query = { op: 'explain', item: candidate.id }
    return suggestedCall('explain', label, worldUrl(addresses, [], query), candidate.id)
  }
  const ticker = candidate.legs[0]?.ticker ?? ''
  const relatedCall = (): SuggestedCall => {
    const query = { op: 'trail', from: ticker }
    return suggestedCall('trail', 'related', worldUrl(addresses, [], query), ticker)
  }
  const prices = (): SuggestedCall =>
    suggestedCall('history', 'price path', priceHistoryUrlOf(addresses, ticker), ticker)
  switch (candidate.type) {
    case 'regime_shift':
      return [onRegion('history', 'path'), explain('why?'), onRegion('dispersion', 'who disagrees')]
    case 'divergence':
      return [
        explain('why?'),
        onRegion('dispersion', 'spread'),
        onRegion('history', '6h path', { dt: '6h' }),
      ]
    case 'resolving_soon':
      return [onRegion('catalyst', 'calendar'), prices(), explain('why now?')]
    case 'residual':
      return [explain('why moving?'), prices(), relatedCall()]
    case 'novel':
      return [relatedCall(), prices()]
    case 'consensus_break':
      return [onRegion('dispersion', 'peers'), explain('why?'), relatedCall()]
  }
}

/**
 * Path for a closer look at an item on markets: their topic, otherwise the region that shows it.
 */
function regionPath(candidate: Candidate, path: readonly string[]): readonly string[] {
  const theme = candidate.legs[0]?.theme
  return theme !== undefined && TOPICS.some((topic) => topic === theme) ? [theme] : path
}

const suggestedCall = (
  op: WorldOp,
  label: string,
  url: string,
  target: string | null,
): SuggestedCall => ({
  op,
  label,
  url,
  structured: target === null ? { op } : { op, target },
})
