import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BoardView, MarketView } from '../computed/board/market-board.ts'
import { statementOf } from '../domain/theses/claim.ts'
import { edgesByRules, partsOf, treeByRules } from '../domain/theses/formation.ts'
import { boundPart } from '../features/theses/thesis-markets.ts'
import { RECORDED_AT } from './finder-questions.ts'

const FOLDER = join(import.meta.dirname, '../domain/theses/recorded-claims')

/** A claim with the markets that a person binds to it; none when no market asks it. */
export interface RecordedClaim {
  readonly claim: string
  readonly split: 'dev' | 'held-out'
  /** Event, and title or outcome of the market. */
  readonly markets: readonly (readonly [string, string])[]
}

/** Texts that the claim rules refuse with a reason, and those that they accept. */
export interface RecordedTexts {
  readonly refused: readonly { readonly text: string; readonly reason: string }[]
  readonly accepted: readonly string[]
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))

export const recordedClaims = (): readonly RecordedClaim[] =>
  read('claims.json') as readonly RecordedClaim[]
export const recordedTexts = (): RecordedTexts => read('texts.json') as RecordedTexts

/** How well the rules bind markets to claims; counts are markets over all claims. */
export interface FormationScore {
  readonly claims: number
  readonly precision: number
  readonly recall: number
  /** Claims with a wrong or a missing market. */
  readonly misses: readonly {
    readonly claim: string
    readonly wrong: readonly string[]
    readonly missing: readonly string[]
  }[]
}

const nameOf = ({ facts }: MarketView): string => `${facts.eventId}: ${facts.title}`

/** The tree and the edges that the rules form from a claim. */
export function formedBy(board: BoardView, claim: string) {
  const statement = statementOf(claim)
  const parts = partsOf(statement).map((part) => boundPart(board, part))
  const tree = treeByRules(statement, parts, RECORDED_AT)
  return { tree, edges: edgesByRules(tree, parts) }
}

/** The bound markets of a claim with the side on which it is true, best match of each condition first. */
export const sidesOf = (board: BoardView, claim: string): [title: string, side: 1 | -1][] =>
  formedBy(board, claim).edges.map(({ ticker, orientation }) => [
    board.get(ticker)?.facts.title ?? ticker,
    orientation,
  ])

/** The markets of a thesis that the rules form from a claim. */
function boundBy(board: BoardView, claim: string): readonly MarketView[] {
  const tickers = new Set(formedBy(board, claim).edges.map(({ ticker }) => ticker))
  return board.list(null).filter(({ facts }) => tickers.has(facts.ticker))
}

/** The market that a claim's row names. */
function namedMarket(board: BoardView, [event, name]: readonly [string, string]): MarketView {
  const found = board
    .list(null)
    .filter(
      ({ facts }) => facts.eventId === event && (facts.title === name || facts.subtitle === name),
    )
  const exact = found.length > 1 ? found.filter(({ facts }) => facts.subtitle === name) : found
  const [market] = exact
  if (market === undefined || exact.length > 1) {
    throw new Error(`${event} has ${exact.length} markets “${name}”`)
  }
  return market
}

export function scoreFormation(board: BoardView, claims: readonly RecordedClaim[]): FormationScore {
  let [right, bound, expected] = [0, 0, 0]
  const misses = claims.flatMap(({ claim, markets }) => {
    const wanted = new Set(markets.map((one) => namedMarket(board, one)))
    const got = new Set(boundBy(board, claim))
    const wrong = [...got].filter((view) => !wanted.has(view)).map(nameOf)
    const missing = [...wanted].filter((view) => !got.has(view)).map(nameOf)
    right += got.size - wrong.length
    bound += got.size
    expected += wanted.size
    return wrong.length + missing.length === 0 ? [] : [{ claim, wrong, missing }]
  })
  return { claims: claims.length, precision: right / bound, recall: right / expected, misses }
}
