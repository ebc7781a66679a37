import type { WorldSnapshot } from '../../computed/context-engine.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { wordsOf } from '../../domain/text/tokens.ts'
import type { Millis } from '../../domain/units.ts'
import { explainMove } from '../../domain/world/explain/explain.ts'
import { hypothesisRow } from '../../domain/world/markdown/operations-markdown.ts'
import type { ScoredCandidate } from '../../domain/world/salient/salient.ts'
import { selectSalient } from '../../domain/world/salient/selection.ts'
import { servedItem, type SalientItem } from '../../domain/world/snapshot.ts'
import { candidatesIn } from '../../domain/world/world.ts'
import { inspectUrl, type Urls } from '../../http/next-actions.ts'
import { NotFound } from '../../lib/errors.ts'
import { dayMove, flowFacts, linkedFacts, statedFacts } from './explain-sources.ts'
import { regionNamed } from './place.ts'
import { snapshotAction } from './world-answer.ts'
import type { WorldDeps } from './world.deps.ts'

/** Sources that are checked; sources of providers are added when configured. */
const CHECKED = ['calendar', 'changes', 'links', 'cross_venue', 'trades', 'book'] as const
/** Ranks refer to the longest list that is served. */
const LONGEST_LIST = 30
/** Shorter words are not treated as names. */
const LEAST_LETTERS = 4

interface Found {
  readonly item: SalientItem
  readonly candidate: ScoredCandidate
  readonly bucket: WorldSnapshot
}

/** Explains salient items of the current and the previous window. */
export function createExplanations(deps: WorldDeps) {
  const { context, board, history, urls } = deps

  const within = (bucket: WorldSnapshot, id: string): Found | null => {
    const { world } = bucket
    const candidate =
      world.candidates.find((known) => known.id === id) ??
      [...world.shifts.values()].find((known) => known.id === id)
    if (candidate === undefined) return null
    const chosen = selectSalient(candidatesIn(world, regionNamed(world, [])), LONGEST_LIST)
    const place = chosen.findIndex((selected) => selected.candidate.id === id)
    const selected = chosen[place] ?? { candidate, score: candidate.score }
    const rank = place < 0 ? chosen.length : place
    return { item: servedItem(selected, rank, [], urls), candidate, bucket }
  }

  const find = async (buckets: readonly WorldSnapshot[], id: string): Promise<Found | null> => {
    for (const bucket of buckets) {
      const found = within(bucket, id)
      if (found !== null) return found
    }
    const [newest] = buckets
    if (newest === undefined) return null
    const justBefore = (newest.world.at - 1) as Millis
    const before = await context.world(justBefore).catch(() => null)
    return before === null ? null : within(before, id)
  }

  /**
   * The market an explanation is about: the one that moved in a gap, the first driver of a regime
   * shift.
   */
  const subjectOf = ({ candidate }: Found): string | null => {
    if (candidate.type === 'regime_shift') return candidate.body.drivers[0]?.ticker ?? null
    if (candidate.type === 'divergence') return candidate.body.triggerTicker
    return candidate.body.ticker
  }

  const factsOf = async (bucket: WorldSnapshot, view: MarketView, at: Millis) => {
    const day = await dayMove(history, view, at)
    const words = wordsOf(`${view.facts.title} ${view.facts.subtitle ?? ''}`)
    const move = {
      startedAt: day?.startedAt ?? at,
      cents: day?.cents ?? 0,
      entityWords: words.filter((word) => word.length >= LEAST_LETTERS),
    }
    const found = await Promise.all([
      statedFacts(deps, view, move, at),
      linkedFacts(deps, bucket.snapshot, view, at),
      flowFacts(deps, view, move, at),
    ])
    return { move, facts: found.flat() }
  }

  return {
    /**
     * Possible causes of an item, from data known at its world's instant.
     * @param buckets worlds that may contain its id, newest first; the window before is searched too
     * @throws NotFound for an id in none of them
     */
    async explain(buckets: readonly WorldSnapshot[], id: string) {
      const found = await find(buckets, id)
      if (found === null) {
        throw new NotFound('Salient item not found or expired', {
          suggestion: snapshotAction(urls),
        })
      }
      const { at } = found.bucket.world
      const ticker = subjectOf(found)
      const view =
        ticker === null
          ? null
          : (found.bucket.snapshot.markets.get(ticker)?.view ?? (await board.market(ticker, at)))
      const { move, facts } =
        view === null
          ? { move: { startedAt: at, cents: 0, entityWords: [] }, facts: [] }
          : await factsOf(found.bucket, view, at)
      const { hypotheses, unexplained } = explainMove(facts, move, at)
      const explain = { item: found.item, hypotheses, checked: CHECKED, unexplained }
      const causes = unexplained
        ? ['unexplained: none of the searched sources has a cause']
        : hypotheses.map(hypothesisRow)
      // The next question is how to act on it, so the text contains the next action too.
      const onward = ticker === null ? [] : [`next: \`GET ${dossierUrl(urls, ticker)}\``]
      return { explain, rows: [...causes, ...onward] }
    },
  }
}

const dossierUrl = (urls: Urls, ticker: string): string =>
  `${inspectUrl(urls, ticker)}?format=markdown`
