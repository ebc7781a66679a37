import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import {
  DepthBars,
  DepthQuery,
  QuoteBars,
  QuoteBarsQuery,
  Tape,
  TapeQuery,
} from '../../contract/market-tape.ts'
import { TickerParam } from '../../contract/market.ts'
import type { MarketTape } from './tape.service.ts'

export const tapeRoutes = (tape: MarketTape) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routePolicies)
    .get('/market/:ticker/quotes', ({ params, query }) => tape.quoteBars(params.ticker, query), {
      params: TickerParam,
      query: QuoteBarsQuery,
      auth: 'optional',
      cache: 5,
      response: answers(QuoteBars, 400, 404, 410, 429, 503),
      detail: {
        operationId: 'market.quotes',
        summary: 'Best bid, best ask and midpoint per bar, oldest first',
      },
    })
    .get('/market/:ticker/depth', ({ params, query }) => tape.depth(params.ticker, query), {
      params: TickerParam,
      query: DepthQuery,
      auth: 'optional',
      cache: 5,
      response: answers(DepthBars, 400, 404, 410, 429, 503),
      detail: {
        operationId: 'market.depth',
        summary: 'The stored book of each bar, five levels per side, oldest first',
      },
    })
    .get('/market/:ticker/trades', ({ params, query }) => tape.tape(params.ticker, query), {
      params: TickerParam,
      query: TapeQuery,
      auth: 'optional',
      cache: 5,
      response: answers(Tape, 400, 404, 410, 429, 503),
      detail: {
        operationId: 'market.trades',
        summary: 'Trades of one market, newest first',
      },
    })
