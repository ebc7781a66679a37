import { describe, expect, it } from 'vitest'
import { createByteCache, type CachedAnswer } from './byte-cache.ts'

describe('byte cache', () => {
  const answer = (size: number) => ({
    status: 200,
    headers: [],
    etag: null,
    plain: Buffer.alloc(size),
    gzip: null,
    br: null,
  })

  it('expires an entry on process time and on data time', () => {
    const time = { timer: 0, data: 0 }
    const cache = createByteCache({ monotonic: () => time.timer, now: () => time.data })
    cache.put('a', answer(1), 5_000)
    expect(cache.get('a')).not.toBeNull()
    time.timer = 5_000
    expect(cache.get('a')).toBeNull()
    cache.put('a', answer(1), 5_000)
    time.data = 3_000_000 // a replay advanced most of an hour at once
    expect(cache.get('a')).toBeNull()
  })

  it('stays within its size by evicting the oldest entries', () => {
    const cache = createByteCache({ monotonic: () => 0, now: () => 0 }, 100_000)
    for (let i = 0; i < 20; i += 1) cache.put(String(i), answer(5_000), 1_000)
    expect(cache.get('0')).toBeNull()
    expect(cache.get('19')).not.toBeNull()
    cache.put('huge', answer(50_000), 1_000)
    expect(cache.get('huge')).toBeNull()
  })
  it('does not store or share an answer that was begun before it was cleared', async () => {
    const cache = createByteCache({ monotonic: () => 0, now: () => 0 })
    const [old, fresh] = [Promise.withResolvers<CachedAnswer>(), answer(2)]
    const first = cache.once(
      'a',
      () => old.promise,
      () => 1_000,
    )
    expect(
      cache.once(
        'a',
        () => Promise.reject(new Error('not shared')),
        () => 1_000,
      ),
    ).toBe(first)
    cache.clear()
    expect(
      await cache.once(
        'a',
        () => Promise.resolve(fresh),
        () => 1_000,
      ),
    ).toBe(fresh)
    old.resolve(answer(1))
    await first
    expect(cache.get('a')).toBe(fresh)
  })
})
