import { paperModel } from './paper-account.ts'
import type { FactsVersion } from '../../domain/backtest/event-columns.ts'
import { reportOf, type CrossedGap, type RunReport } from '../../domain/backtest/report/report.ts'
import type { RunResult } from '../../domain/backtest/report/run-result.ts'
import type { Intent } from '../../domain/portfolio/intent.ts'
import type { LedgerEntry } from '../../domain/portfolio/ledger.ts'
import { PaperRun } from '../../domain/portfolio/paper-run.ts'
import { HOUR, type Millis, type MoneyE6 } from '../../domain/units.ts'
import type { ReadHistory } from '../../history/history.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { IntentsStore } from './intents.store.ts'
import type { LedgerStore } from './ledger.store.ts'
import type { PortfolioRecord, PortfolioStore } from './portfolio.store.ts'
import { byCreation } from '../../http/request/list-page.ts'

/** History reads of a report. */
export type ReportHistory = Pick<
  ReadHistory,
  'eventWindows' | 'versionsOfMany' | 'marketIdOf' | 'keyOf' | 'gaps'
>

/** A report with the columns of its files. */
export interface PaperReport extends Pick<RunResult, 'fills' | 'samples' | 'tags'> {
  readonly report: RunReport
  readonly tickers: Readonly<Record<number, string>>
}

/** Reports of users' paper trading, in the format of backtests. */
export interface PaperReports {
  /** One user's report from the start of a span until now; other users' trades are not included. */
  read(userId: string, span: { readonly from: Millis; readonly now: Millis }): Promise<PaperReport>
  /** Users who have created an intent. */
  users(): Promise<readonly string[]>
}

/** Books are read from this much earlier, so that the first purchase has one. */
const BOOK_LOOKBACK = HOUR
const MAX_GAPS = 200
const PAGE = 1_000
const FEEDS = ['trades', 'quotes', 'books', 'bars'] as const
const NO_FILTER = {
  since: null,
  until: null,
  events: null,
  venue: null,
  ticker: null,
  source: null,
  confidence: null,
  mode: null,
} as const

export function createPaperReports(deps: {
  readonly portfolios: PortfolioStore
  readonly ledger: LedgerStore
  readonly intents: IntentsStore
  readonly history: ReportHistory
}): PaperReports {
  const { portfolios, ledger, intents, history } = deps

  const entriesOf = async (userId: string): Promise<LedgerEntry[]> => {
    const all: LedgerEntry[] = []
    for (;;) {
      const last = all.at(-1)
      const after = last === undefined ? null : { at: last.occurredAt, id: last.seq }
      const page = await ledger.page(userId, NO_FILTER, 'asc', after, PAGE)
      all.push(...page)
      if (page.length < PAGE) return all
    }
  }

  const intentsOf = async (userId: string): Promise<Intent[]> => {
    const all: Intent[] = []
    for (;;) {
      const last = all.at(-1)
      const page = await intents.page(
        userId,
        { statuses: null, ticker: null, thesisId: null },
        last === undefined ? null : byCreation(last),
        PAGE,
      )
      all.push(...page)
      if (page.length < PAGE) return all.reverse()
    }
  }

  const marketsOf = (entries: readonly LedgerEntry[]) => {
    const tickers = [...new Set(entries.flatMap(({ ticker }) => ticker ?? []))]
    const positionFigures = tickers.flatMap((ticker) => {
      const market = history.marketIdOf(ticker)?.market
      return market === undefined ? [] : [{ market, ...history.keyOf(market) }]
    })
    return positionFigures.sort((a, b) => compare(a.venue, b.venue) || compare(a.ticker, b.ticker))
  }

  const gapsOf = async (from: Millis, now: Millis, markets: ReadonlySet<MarketId>) => {
    const rows = await history.gaps({ venue: null, from, to: now, asOf: now, limit: 10_000 })
    const marketGaps =
      markets.size === 0 ? [] : rows.filter(({ market }) => market === null || markets.has(market))
    const gaps = marketGaps.slice(0, MAX_GAPS).map((row): CrossedGap => ({
      ticker: row.market === null ? null : history.keyOf(row.market).ticker,
      venue: row.venue,
      feed: row.feed,
      from: row.from,
      to: row.to,
      state: row.state,
    }))
    return { gaps, gapsLeftOut: marketGaps.length - gaps.length }
  }

  return {
    users: async () => [...new Set([...(await ledger.paperUsers()), ...(await intents.users())])],
    async read(userId, span) {
      const { now } = span
      const portfolio = await portfolios.read(userId)
      const { config, paperEpoch, epochBeganAt } = portfolio
      const from = Math.max(span.from, Math.min(epochBeganAt ?? span.from, now)) as Millis
      const all = await entriesOf(userId)
      const paperEntries = all.filter(
        (entry) => entry.mode === 'paper' && entry.epoch === paperEpoch,
      )
      const entries = paperEntries.filter(
        (entry) => entry.occurredAt >= from && entry.occurredAt <= now,
      )
      const intents = await intentsOf(userId)
      const createdIntents = intents.filter(
        ({ createdAt }) => createdAt >= from && createdAt <= now,
      )
      const markets = marketsOf(entries.filter(({ eventType }) => eventType !== 'agent_decision'))
      const indexByMarket = new Map(markets.map(({ market }, index) => [market, index]))
      const ids = markets.map(({ market }) => market)
      const versions: FactsVersion[] = (await history.versionsOfMany(ids, now)).flatMap((row) => {
        const market = indexByMarket.get(row.market)
        return market === undefined ? [] : [{ market, facts: row.facts, knownAt: row.knownAt }]
      })
      const run = new PaperRun({
        from,
        to: now,
        entries,
        intents: createdIntents,
        model: paperModel(config.paperFill),
        startCash: (config.paperStartBalanceCents * 10_000) as MoneyE6,
        tickers: markets.map(({ ticker }) => ticker),
        versions: versions.sort((a, b) => a.knownAt - b.knownAt || a.market - b.market),
      })
      if (ids.length > 0) {
        const query = {
          from: (from - BOOK_LOOKBACK) as Millis,
          to: now,
          markets: ids,
          feeds: FEEDS,
        }
        for await (const window of history.eventWindows(query)) run.process(window)
      }
      const result = run.finish()
      const report = reportOf(result, {
        strategy: 'agent',
        about: 'Intents sent over HTTP and traded on paper.',
        params: { paperFill: config.paperFill, executionMode: config.executionMode },
        scope: `${markets.length} traded markets, ${createdIntents.length} intents`,
        ...(await gapsOf(from, now, new Set(ids))),
        checks: [],
        isDeterministic: null,
        capacity: null,
      })
      const { fills, samples, tags, traded } = result
      return {
        fills,
        samples,
        tags,
        tickers: Object.fromEntries(traded.map(({ market, ticker }) => [market, ticker])),
        report: {
          ...report,
          invalidatedBy: [
            ...exclusions({ all, later: paperEntries.length - entries.length, portfolio }),
            ...report.invalidatedBy,
          ],
        },
      }
    },
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Entries of a user's ledger that the figures leave out, as sentences. */
function exclusions(coverage: {
  readonly all: readonly LedgerEntry[]
  readonly later: number
  readonly portfolio: PortfolioRecord
}): readonly string[] {
  const { all, later, portfolio } = coverage
  const liveFills = all.filter(({ mode, eventType }) => mode === 'live' && eventType === 'fill')
  return [
    ...(portfolio.paperEpoch > 0
      ? ['The paper account was reset: earlier trades are not in these figures.']
      : []),
    ...(later > 0
      ? [
          `${later} entries of the ledger are later than this time because the replay went back; they are not in these figures.`,
        ]
      : []),
    ...(liveFills.length > 0
      ? [`${liveFills.length} fills of live trading are not in these figures.`]
      : []),
    ...(portfolio.haltedAt === null
      ? []
      : [`Trading was halted (${portfolio.haltReason ?? 'user'}): later intents were not traded.`]),
  ]
}
