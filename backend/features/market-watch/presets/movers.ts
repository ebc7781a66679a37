import { surpriseIn } from '../../../computed/answers/answer-facts.ts'
import type { MarketStatus } from '../../../domain/market.ts'
import { isMovable, moveOfDay } from '../../../computed/board/price-moves.ts'
import { servedMover } from '../../../http/presenters/mover.ts'
import { NotReady } from '../../../lib/errors.ts'
import { newestOf, type PanelContent } from '../panel-content.ts'
import type { PanelSources } from '../panel-sources.ts'

const MAX_MOVERS = 20
const ACTIVE: ReadonlySet<MarketStatus> = new Set(['active'])

/** Tradable markets that moved and traded within a day, most unusual volume first. */
export async function moversByVolume({
  board,
  context,
  urls,
}: Pick<PanelSources, 'board' | 'context' | 'urls'>): Promise<PanelContent> {
  if (!board.ready) throw new NotReady('The first data is not loaded yet; retry in a few seconds')
  const [boardView, snapshot] = await Promise.all([board.at(null), context.snapshot(null)])
  const views = boardView.list(ACTIVE)
  const moves = views.flatMap((view) => {
    const move = isMovable(view) ? moveOfDay(view) : null
    if (move === null || move.delta === 0) return []
    const volumeZ = surpriseIn(snapshot, move)
    return [{ move, volumeZ, size: volumeZ === null ? -1 : Math.abs(volumeZ) }]
  })
  moves.sort(
    (a, b) => b.size - a.size || (a.move.view.facts.ticker < b.move.view.facts.ticker ? -1 : 1),
  )
  return {
    payload: {
      kind: 'movers_volume_z',
      window: '24h',
      movers: moves
        .slice(0, MAX_MOVERS)
        .map(({ move, volumeZ }) => servedMover(move, volumeZ, urls)),
    },
    source: {
      name: 'quotes',
      asOf: newestOf(views.map(({ quotedAt }) => quotedAt)),
      cadence: 'polled',
    },
  }
}
