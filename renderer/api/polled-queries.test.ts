import { describe, expect, it } from 'vitest'
import type { Command } from '../shell/commands/command.ts'
import { parseLine } from '../shell/commands/parse.ts'
import * as account from './account-queries.ts'
import * as alerts from './alert-queries.ts'
import { backtestQuery } from '../shell/export/export-query.ts'
import * as backtests from './backtest-queries.ts'
import * as context from './context-queries.ts'
import * as forum from './forum-queries.ts'
import * as portfolio from './portfolio-queries.ts'
import * as queries from './queries.ts'
import * as series from './series-queries.ts'
import * as reference from './reference-queries.ts'
import * as replay from './replay.ts'
import type { PolledQuery } from './source.svelte.ts'
import * as theses from './thesis-queries.ts'
import * as watch from './watch-queries.ts'
import * as webhooks from './webhook-queries.ts'
import * as world from './world-queries.ts'

const command = (line: string): Command => {
  const parsed = parseLine(line)
  if ('message' in parsed || parsed[0] === undefined) throw new Error(line)
  return parsed[0]
}
const AT = '2026-11-20T10:00:00.000Z'
const NOW = Date.parse(AT)

/** Every query that the page polls, by module. */
const POLLED: readonly (readonly [module: string, ...queries: readonly object[]])[] = [
  [
    'queries',
    queries.health,
    queries.serviceStatus,
    queries.quotes,
    queries.market('KX'),
    queries.market('KX', AT),
    series.candles('KX', '1h'),
    series.quoteBars('KX', '5m', AT),
    series.tape('KX', AT),
    series.history('KX'),
    queries.changes(command('iran CHG 6h @k'), 'KX', AT),
    queries.newMarkets(command('iran NEW 2d @p')),
    ...queries.movers(command('MOV')),
    ...[queries.scan(command('SCAN oil status=settled'))].filter((one) => typeof one !== 'string'),
    ...[queries.scan(command('SCAN'))].filter((one) => typeof one !== 'string'),
    ...[queries.scan(command('SCAN cut expires<2026-12-01'))].filter(
      (one) => typeof one !== 'string',
    ),
  ],
  [
    'reference-queries',
    reference.microstructure('KX', '7d', AT),
    ...['1h', '24h', '25h', '12d', '13d', '400d'].map((span) => reference.depthBars('KX', span)),
    reference.screenQuery(
      command('iran SCREEN iy>10 or<3 cri=2..4 days<9 price>5 ee>2 las<5 vol24h>1k @k'),
    ),
    reference.technicals(command('TECH oil')),
    reference.technical('kx'),
    reference.opinions(command('OPIN oil'), 'KX'),
    reference.opinions(command('KX OPIN'), 'KX'),
    reference.opinions(command('iran OPIN'), 'KX'),
    reference.opinion('slug'),
    reference.topicFeed(command('FEED iran 6h')),
    reference.guide('trade'),
    reference.skills,
    reference.skill('news'),
    queries.watchedMarketsQuery(['A', 'B']),
  ],
  [
    'context-queries',
    context.edges(command('iran EDGE edge>5 @k')),
    context.ideas(command('IDEA oil side=yes')),
    context.ideas(command('IDEA')),
    context.highlights(command('iran HIGH')),
    context.contagion(command('CONT gap>2')),
    context.pairs(command('XVP conf>0.5 gap>2')),
    context.matchedMarket('KX'),
    context.pairCandles('KX', '1h'),
    context.curves(command('YC')),
    context.odds(command('ODDS')),
    context.calibration(command('CALIB')),
    context.liquidity(command('LIQ')),
    ...['90m', '25h', '3d'].map((within) => context.calendar(command(`CAL ${within}`), 'KX')),
    context.calendar(command('CAL'), null),
    context.marketCatalysts('KX', Date.parse('2026-11-20T00:00:00.000Z'), AT),
    context.marketResolution('KX', AT),
    context.marketChanges('KX', AT),
    context.chartDrawings,
    context.briefing(command('BRIEF')),
    context.answer('ab'),
    context.answer('a'.repeat(500)),
  ],
  [
    'world-queries',
    world.worldSnapshot('', '1h'),
    world.worldSnapshot('iran/oil', null),
    world.worldHistory('', '6h'),
    world.worldCatalysts('iran', '7d'),
    world.worldDispersion(''),
    world.worldTrail('KX', AT),
    world.worldExplanation('item'),
    world.worldDelta('1h'),
    world.index,
    world.indexHistory(7, 'iran'),
    ...['90m', '23h', '24h', '25h', '3d'].map((span) => world.gaugeHistory('', span)),
    world.gaugeHistory('iran', '7d'),
    world.gaugeHistory('iran/oil', '7d'),
    ...[world.regimeScan(command('iran REG as=0.1..0.5 vol24h>1k edge=yes @k'))].filter(
      (one) => typeof one !== 'string',
    ),
    ...[world.regimeScan(command('REG edge=no'))].filter((one) => typeof one !== 'string'),
    world.dossier('KX', AT),
    world.glossary,
    world.glossaryTerm('las'),
  ],
  [
    'account-queries',
    account.me,
    account.pageSettings,
    account.serviceKeys,
    account.dataKeys,
    account.sessions,
    account.usage('7d'),
    account.doctor,
    account.languageModel,
  ],
  [
    'portfolio-queries',
    portfolio.positions('open'),
    portfolio.risk,
    portfolio.portfolioConfig,
    portfolio.ticks,
    portfolio.ledger('fills'),
    portfolio.ledger('all'),
    portfolio.attribution('market', '30d', NOW),
    portfolio.attribution('market', '1d', NOW),
    ...['all', 'open', 'ended'].map((show) => portfolio.intents(show)),
    ...['all', 'open'].map((state) => portfolio.trades(state)),
    portfolio.marketFills('KX', AT),
    portfolio.views,
    portfolio.plan,
    portfolio.dailyProfit('paper', NOW),
  ],
  [
    'thesis-queries',
    theses.theses,
    theses.thesis('t1'),
    theses.evaluations('t1'),
    theses.recentEvaluations('t1'),
    theses.earlierEvaluations('t1'),
    theses.thesisBacktest('t1', '90d'),
    theses.heartbeat('t1'),
    theses.thesisContext('t1'),
    theses.thesesOfMarket('KX', AT),
    theses.evaluationFeed(AT),
  ],
  [
    'backtest-queries',
    backtests.runs,
    backtests.run('bt_1'),
    backtests.strategies,
    backtests.strategy('hold'),
  ],
  [
    'webhook-queries',
    webhooks.webhookEndpoints,
    webhooks.endpointDeliveries('we_1', 'failed'),
    webhooks.deliveryDetail('we_1', 'del_1'),
  ],
  ['watch-queries', watch.board],
  ['alert-queries', alerts.watchedPage, alerts.alertDeliveries, alerts.terminalNotices],
  ['forum-queries', forum.forumChannels, forum.forumMessages('signals')],
  ['replay', replay.replayState],
]

/** A body with every time that a query may read, each named by its value. */
const TIMED = {
  time: 'time',
  updatedAt: 'updatedAt',
  generatedAt: 'generatedAt',
  fetchedAt: 'fetchedAt',
  to: 'to',
  asOf: 'asOf',
  timestamp: 'timestamp',
  meta: { ts: 'meta.ts' },
  points: [{ at: 'first point' }, { at: 'last point' }],
  bars: [{ at: 'first bar' }, { at: 'last bar' }],
  technicals: [{ asOf: 'first technical' }, { asOf: 'last technical' }],
}
const UNTIMED = { ...TIMED, points: [], bars: [], technicals: [] }

/** A query as text: what is requested, how often, and where the time of its data is. */
function queryText(query: object): string {
  const polled = query as PolledQuery<object>
  const { path, interval, streamedInterval = interval, cadence, isOwn = false } = polled
  const { isOfMarkets = !isOwn } = polled
  const streamed = streamedInterval === interval ? '' : `, streamed ${streamedInterval ?? 'never'}`
  const [time, other] = [TIMED, UNTIMED].map((body) => polled.timeOf(body, 'arrival'))
  const times = time === other ? time : `${time} or ${other}`
  const marks = [isOwn ? 'own' : 'shared', ...(isOfMarkets ? ['of markets'] : [])].join(' ')
  return `  ${path}\n    every ${interval}${streamed}, cadence ${cadence}, time ${times}, ${marks}`
}

describe('polled queries', () => {
  it('are what their file lists', async () => {
    const text = POLLED.map(([module, ...all]) => [module, ...all.map(queryText)].join('\n'))
    await expect(`${text.join('\n\n')}\n`).toMatchFileSnapshot('polled-queries.txt')
  })

  const found = (line: string, ticker: string | null = 'KX', asOf: string | null = null) => {
    const parsed = command(line)
    const query =
      context.contextQuery(parsed, ticker, asOf) ??
      reference.referenceQuery(parsed, ticker, asOf) ??
      world.worldQuery(parsed, ticker, asOf)
    return query?.path ?? null
  }
  it.each([
    ['EDGE', /^\/api\/edges\?/],
    ['IDEA', /\/ideas\?/],
    ['HIGH', /\/highlights\?/],
    ['CONT', /\/contagion\?window=6h/],
    ['CONT 1h', /\/contagion\?window=1h/],
    ['XVP', /\/cross-venue\/pairs\?sort=confidence/],
    ['KX XV', /\/market\/KX\?.*cv_preset=browse/],
    ['YC', /\/yield-curves\?/],
    ['ODDS', /\/odds\?/],
    ['CALIB', /\/calibration\?period=30d/],
    ['LIQ', /\/liquidity-by-theme\?/],
    ['CAL', /\/calendar\?days=30&ticker=KX/],
    ['BRIEF', /\/briefing\?window=24h/],
    ['ASK will the Fed cut', /\/query\?q=will\+the\+Fed\+cut/],
    ['KX MICRO', /\/market-microstructure-history\?ticker=KX&days=7/],
    ['SCREEN', /\/screen\?/],
    ['TECH', /\/technicals\?/],
    ['OPIN', /\/opinions\?limit/],
    ['FEED iran', /\/feed\/iran\?since=24h/],
    ['GUIDE', /\/guide\?nextActions/],
    ['SKILL', /\/skills\?/],
    ['WORLD', /\/world\?.*op=snapshot/],
    ['iran WORLD', /\/world\/iran\?.*op=snapshot/],
    ['DELTA', /\/world\/delta\?since=1h/],
    ['DISP', /op=dispersion/],
    ['CATL', /op=catalyst.*window=7d/],
    ['IDX', /\/index\/history\?days=7/],
    ['KX TRAIL', /op=trail.*from=KX/],
    ['REG', /\/regime\/scan\?/],
    ['GLOSS', /\/glossary\?/],
    ['GLOSS las', /\/glossary\/las$/],
    ['MOV', null],
  ])('%s is answered by %s', (line, path) => {
    if (path === null) expect(found(line)).toBeNull()
    else expect(found(line)).toMatch(path)
  })

  it.each(['KX XV', 'KX MICRO', 'KX TRAIL', 'KX CAL', 'KX OPIN'])(
    '%s is answered as of the instant of its group',
    (line) => {
      expect(found(line, 'KX', AT)).toContain(`asOf=${encodeURIComponent(AT)}`)
    },
  )

  it.each([
    ['. XV', 'Name a market first'],
    ['. MICRO', 'Name a market first'],
    ['. TRAIL', 'Name a market first'],
    ['FEED', 'Name a topic first, such as FEED iran'],
    ['DISC why', 'Open the discussion first, then save it from its pane'],
    ['EDGE edge<5', 'edge accepts a lower bound only, such as edge>5'],
    ['EDGE edge>5 edge<10', 'edge accepts a lower bound only, such as edge>5'],
    ['SCREEN las>5', 'las accepts an upper bound only, such as las<5'],
    ['SCREEN las<5 las>1', 'las accepts an upper bound only, such as las<5'],
    ['REG vol24h<10', 'Volume accepts a lower bound only, such as vol24h>1000'],
    ['EXPLAIN', 'Name a world item first'],
  ])('%s is refused: %s', (line, message) => {
    expect(() => found(line, null)).toThrow(message)
  })

  it('the tightest of several bounds counts', () => {
    expect(found('EDGE edge>5 edge>=8')).toContain('minStrength=8')
    expect(found('SCREEN las<5 las<=3')).toContain('las_max=3')
  })

  it('a question has from two to 500 characters, a discussion at most 2000', () => {
    const refusal = (make: () => never | PolledQuery<object>) =>
      context.queryOrMessage(() => make())
    expect(refusal(() => context.answer('a') as never)).toBe('Type at least two characters')
    expect(refusal(() => context.answer('a'.repeat(501)) as never)).toBe(
      'A question has at most 500 characters',
    )
    expect(() =>
      context.queryOrMessage(() => {
        throw new TypeError('a fault')
      }),
    ).toThrow('a fault')
    const discussion = (line: string, text?: string) => {
      const parsed = command(line)
      const args = text === undefined ? parsed.args : { ...parsed.args, text }
      return reference.discussionOf({ ...parsed, args }, 'KX')
    }
    expect(discussion('iran DISC why')).toEqual({ question: 'why', topic: 'iran' })
    expect(discussion('KX DISC')).toEqual({ ticker: 'KX' })
    expect(discussion('DISC', 'a'.repeat(2_000))).toMatchObject({})
    expect(() => discussion('DISC', 'a'.repeat(2_001))).toThrow(
      'A question has at most 2000 characters',
    )
    expect(() => discussion('DISC')).toThrow('Ask a question, or name a market or a topic')
  })
})

describe('queries of exports', () => {
  const ofPortfolio = (line: string) => portfolio.portfolioQuery(command(line), NOW).path
  it.each([
    ['POS', '/positions?status=open'],
    ['TICKS', '/ticks?'],
    ['LEDG', '/ledger?'],
    ['LEDG fills', '/fills?'],
    ['ATTR', 'groupBy=market&from=2026-10-22&to=2026-11-20'],
    ['INTENT', '/intents?limit'],
    ['TRADES', '/trades?limit'],
    ['VIEWS', '/views?'],
    ['PLAN', '/strategy?'],
    ['SECRET', '/config'],
    ['RISK', '/risk'],
  ])('%s reads %s', (line, part) => expect(ofPortfolio(line)).toContain(part))

  it('of theses and backtests read the named one, or the list', () => {
    expect(theses.thesisQuery(command('THES')).path).toBe('/api/thesis?limit=200')
    expect(theses.thesisQuery({ ...command('THES'), args: { id: 't1' } }).path).toBe(
      '/api/thesis/t1',
    )
    const backtest = (args: Record<string, string>) =>
      backtestQuery({ ...command('BT'), args }).path
    expect(backtest({})).toBe('/api/backtests?limit=100')
    expect(backtest({ id: 'bt_1' })).toBe('/api/backtests/bt_1')
    expect(backtest({ action: 'thesis', thesis: 't1' })).toBe('/api/thesis/t1/backtest?window=90d')
    expect(backtest({ action: 'thesis', thesis: 't1', from: '30d' })).toContain('window=30d')
    expect(() => backtest({ action: 'thesis' })).toThrow(
      'Name a thesis by its id: BT thesis ID 90d',
    )
    expect(backtests.tradesRoute('bt_1', 'c1')).toBe(
      '/api/backtests/bt_1/trades?limit=1000&cursor=c1',
    )
    expect(webhooks.deliveriesPath('we_1', null, 'c1')).toBe(
      '/api/webhook-endpoints/we_1/deliveries?limit=200&cursor=c1',
    )
    expect(portfolio.ledgerPath('fills', 'c1')).toBe('/api/portfolio/fills?limit=200&cursor=c1')
  })
})
