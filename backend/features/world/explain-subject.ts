import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import type { ScoredCandidate } from '../../domain/world/salient/salient.ts'
import type { World } from '../../domain/world/world.ts'

/** The market of an item that is explained, and what its move is compared with. */
export interface ExplainSubject {
  /** Null for a regime shift without drivers. */
  readonly ticker: string | null
  /** Start of the window that the item is about. */
  readonly since: Millis
  /** Signed cents to the prices of others; null when the market's own move is explained. */
  readonly gap: number | null
  /** Markets whose moves may have opened the gap. */
  readonly peers: readonly {
    readonly ticker: string
    readonly as: 'contagion' | 'cross_venue_lead'
    /** Its move in the window, cents; null when the item does not state it. */
    readonly move: number | null
    /** The part of the gap that its move opened, cents; null for all of its move. */
    readonly opened: number | null
  }[]
}

/** Window of divergences (D4). */
const GAP_WINDOW = 6 * HOUR

/** Subject of an item's explanation: a gap to other markets, or the move of its own market. */
export function explainSubject(
  candidate: ScoredCandidate,
  { at, baseline }: Pick<World, 'at' | 'baseline'>,
): ExplainSubject {
  switch (candidate.type) {
    case 'regime_shift': {
      const { drivers } = candidate.body
      const [first] = drivers
      return {
        ticker: first?.ticker ?? null,
        since: baseline.at,
        gap: first?.delta ?? null,
        peers: drivers.map(({ ticker, delta }) => ({
          ticker,
          as: 'contagion',
          move: delta,
          opened: null,
        })),
      }
    }
    case 'divergence': {
      const { laggingTicker, triggerTicker, gap, relation, lhs, rhs } = candidate.body
      const explanationKind = relation === 'cross_venue' ? 'cross_venue_lead' : 'contagion'
      const since = (at - GAP_WINDOW) as Millis
      // The trigger opened what it was expected to cause; the rest is the market's own move.
      const openedGap = gap + rhs.delta
      const trigger = {
        ticker: triggerTicker,
        as: explanationKind,
        move: lhs.delta,
        opened: openedGap,
      } as const
      return { ticker: laggingTicker, since, gap, peers: [trigger] }
    }
    case 'consensus_break': {
      const { ticker, deviation, basis, peers } = candidate.body
      const explanationKind = basis === 'cross_venue' ? 'cross_venue_lead' : 'contagion'
      return {
        ticker,
        since: baseline.at,
        gap: deviation,
        peers: peers.map((peer) => ({
          ticker: peer.ticker,
          as: explanationKind,
          move: null,
          opened: null,
        })),
      }
    }
    default:
      return { ticker: candidate.body.ticker, since: (at - DAY) as Millis, gap: null, peers: [] }
  }
}
