import { isAboveMoverFloor } from '../../backend/domain/world/mover-floor.ts'
import { moversOf, WORLD_LIST_PARAMS } from '../../backend/domain/world/world-lists.ts'
import { DAY } from '../../backend/domain/units.ts'
import type { SampleMoment } from './sample-world.ts'
import type { Score } from './score.ts'

const ADDRESSES = { baseUrl: '', appUrl: '' }
/** Cents that a price may be off the chance behind it at either end of the day. */
const TOLERANCE = 2

/**
 * The list of movers, against the changes of the chances that the venues price: one is right when
 * its chance moved the same way by the threshold, less what a price may be off. Expected are as many
 * of the largest changes among liquid, traded, two-sided markets as the list is long.
 */
export function scoreMovers({ at, worldSnapshot, marketOf }: SampleMoment): Score {
  const { markets } = worldSnapshot.world
  const { moverDelta } = WORLD_LIST_PARAMS
  const moveOf = (ticker: string): number => {
    const { chance, openAt } = marketOf(ticker)
    return 100 * (chance(at) - chance(Math.max(openAt, at - DAY)))
  }
  const found = moversOf(markets, ADDRESSES)
  const right = found.filter(
    ({ ticker, delta }) => moveOf(ticker) * Math.sign(delta) >= moverDelta - TOLERANCE,
  )
  const eligible = markets
    .filter((market) => {
      const isListed = market.liquidity !== 'low' && market.twoSided && isAboveMoverFloor(market)
      return isListed && marketOf(market.ticker).openAt <= at - DAY
    })
    .map(({ ticker }) => ({ ticker, move: Math.abs(moveOf(ticker)) }))
    .filter(({ move }) => move >= moverDelta + TOLERANCE)
    .sort((a, b) => b.move - a.move)
    .slice(0, WORLD_LIST_PARAMS.movers)
  const listed = new Set(found.map(({ ticker }) => ticker))
  return {
    right: right.length,
    found: found.length,
    recalled: eligible.filter(({ ticker }) => listed.has(ticker)).length,
    expected: eligible.length,
  }
}
