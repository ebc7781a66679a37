import { describe, expect, it } from 'vitest'
import { at, marketView } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'

const changeRow = (id: string, when: string) => ({
  market: 1,
  id,
  type: 'price_move' as const,
  before: 40,
  after: 44,
  delta: 4,
  at: at(when),
})

describe('a modified cursor', () => {
  const views = ['A', 'B', 'C'].map((ticker, index) =>
    marketView({ market: index + 1, price: 40 + index, facts: { ticker } }),
  )
  const changes = [changeRow('a', '2026-11-20T13:55:00Z'), changeRow('b', '2026-11-20T13:50:00Z')]
  const { get } = testApp({ views, changes })

  const cursorOf = async (path: string): Promise<[Record<string, unknown>, unknown, unknown]> => {
    const { nextCursor } = (await (await get(`${path}?limit=1`)).json()) as { nextCursor: string }
    return JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as [
      Record<string, unknown>,
      unknown,
      unknown,
    ]
  }
  const follow = async (path: string, parts: unknown): Promise<[number, unknown]> => {
    const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url')
    const response = await get(`${path}?limit=1&cursor=${cursor}`)
    return [response.status, ((await response.json()) as { error?: unknown }).error]
  }

  // [conventions.parameters.malformed]
  it.each(['/api/public/markets', '/api/public/screen', '/api/public/regime/scan', '/api/changes'])(
    'is refused whatever part of it was changed: %s',
    async (path) => {
      const [query, ...after] = await cursorOf(path)
      expect((await follow(path, [query, ...after]))[0]).toBe(200)
      for (const name of Object.keys(query)) {
        for (const value of [{}, [{}]]) {
          expect([name, ...(await follow(path, [{ ...query, [name]: value }, ...after]))]).toEqual([
            name,
            400,
            'cursor is invalid',
          ])
        }
        const { [name]: _dropped, ...rest } = query
        expect((await follow(path, [rest, ...after]))[0]).toBe(400)
      }
    },
  )

  it('is refused for a word that the parameter does not allow', async () => {
    const [query, ...after] = await cursorOf('/api/public/markets')
    for (const name of ['status', 'sort', 'order', 'venue']) {
      const [status] = await follow('/api/public/markets', [{ ...query, [name]: 'zz' }, ...after])
      expect([name, status]).toEqual([name, 400])
    }
  })

  it('cannot reach into the future or further back than the window', async () => {
    const [query, ...after] = await cursorOf('/api/changes')
    expect(await follow('/api/changes', [{ ...query, asOf: 9e14 }, ...after])).toEqual([
      400,
      'asOf is in the future',
    ])
    expect(await follow('/api/changes', [{ ...query, since: 0 }, ...after])).toEqual([
      400,
      'since must be within 30 days',
    ])
  })
})
