import { describe, expect, expectTypeOf, it } from 'vitest'
import type { CandlesAnswer } from '../../backend/contract/market-history.ts'
import type { Market } from '../../backend/contract/market.ts'
import type { PathsOf } from '../../backend/contract/routes.ts'
import { pathOf, targetOf, type Path } from './path.ts'

describe('paths of the service', () => {
  it('fill in the path, and put other parameters into the query', () => {
    const parameters = { ticker: 'KX/A b', timeframe: '5m', limit: 2, before: null }
    expect(pathOf('/api/public/market/:ticker/candles', parameters)).toBe(
      '/api/public/market/KX%2FA%20b/candles?timeframe=5m&limit=2',
    )
    expect(pathOf('/api/agent/world/*', { '*': 'war/a b', op: 'trail' })).toBe(
      '/api/agent/world/war/a%20b?op=trail',
    )
    expect(targetOf('/api/keys/:id', { id: '../x' })).toBe('/api/keys/..%2Fx')
  })

  it('have the type of their response body', () => {
    const market = pathOf('/api/public/market/:ticker', { ticker: 'KX' })
    expectTypeOf(market).toEqualTypeOf<Path<Market>>()
    expectTypeOf(market).not.toExtend<Path<CandlesAnswer>>()
    expectTypeOf<string>().not.toExtend<Path<Market>>()
    expectTypeOf<'/api/public/nothing'>().not.toExtend<PathsOf<'GET'>>()
  })
})
