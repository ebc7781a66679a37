import { describe, expect, it } from 'vitest'
import type { MarketFacts } from '../domain/market.ts'
import { HOUR, SECOND, type Millis, type PriceE4 } from '../domain/units.ts'
import { marketFacts } from '../testing/market-facts.ts'
import { fingerprintOf, firstVersions } from './catalogue-versions.ts'

const OPENED = Date.parse('2026-11-01T00:00:00Z') as Millis
const CLOSED = (OPENED + 48 * HOUR) as Millis
const SETTLED = (CLOSED + HOUR) as Millis
const NOW = (SETTLED + 24 * HOUR) as Millis

const versionsOf = (facts: Partial<MarketFacts>, statedAt = SETTLED) =>
  firstVersions(
    marketFacts({ openTime: OPENED, closeTime: CLOSED, ...facts }),
    statedAt,
    NOW,
    SECOND,
  ).map(({ knownAt, facts: { status, result } }) => [knownAt, status, result])

describe('first versions of a market', () => {
  it('describes a settled market as it was known, without its result before', () => {
    expect(
      versionsOf({ status: 'settled', result: 'yes', settlementPrice: 10_000 as PriceE4 }),
    ).toEqual([
      [OPENED + SECOND, 'active', null],
      [CLOSED + SECOND, 'closed', null],
      [SETTLED + SECOND, 'settled', 'yes'],
    ])
  })

  it('has no settlement price before the market settled', () => {
    const settlementPrice = 10_000 as PriceE4
    const facts = marketFacts({
      openTime: OPENED,
      closeTime: CLOSED,
      status: 'settled',
      result: 'yes',
      settlementPrice,
    })
    const versions = firstVersions(facts, SETTLED, NOW, SECOND)
    expect(versions.map((version) => version.facts.settlementPrice)).toEqual([
      null,
      null,
      settlementPrice,
    ])
  })

  it('starts an open market at its opening', () => {
    expect(versionsOf({ status: 'active' })).toEqual([[OPENED + SECOND, 'active', null]])
  })

  it('starts an upcoming market, or one without an opening time, when it was read', () => {
    expect(versionsOf({ status: 'upcoming' })).toEqual([[NOW, 'upcoming', null]])
    expect(versionsOf({ status: 'active', openTime: null })).toEqual([[NOW, 'active', null]])
  })

  it('never dates an end later than it was read', () => {
    expect(versionsOf({ status: 'settled', result: 'no' }, (NOW + HOUR) as Millis).at(-1)).toEqual([
      NOW,
      'settled',
      'no',
    ])
  })

  it('dates the close of a closed market, however late it was read', () => {
    expect(versionsOf({ status: 'closed' }, NOW)).toEqual([
      [OPENED + SECOND, 'active', null],
      [CLOSED + SECOND, 'closed', null],
    ])
  })

  describe('of a market that ended early', () => {
    const EARLY = (OPENED + 30 * HOUR + 37 * SECOND) as Millis
    const timesOf = (
      facts: Partial<MarketFacts>,
      announced?: Pick<MarketFacts, 'closeTime' | 'expirationTime'>,
    ) =>
      firstVersions(
        marketFacts({ openTime: OPENED, closeTime: EARLY, status: 'settled', ...facts }),
        SETTLED,
        NOW,
        SECOND,
        announced,
      ).map(({ knownAt, facts: { closeTime, expirationTime } }) => [
        knownAt,
        closeTime,
        expirationTime,
      ])

    // [conventions.as-of.announced-close]
    it('has the announced close until trading stopped', () => {
      expect(
        timesOf({ expirationTime: SETTLED }, { closeTime: CLOSED, expirationTime: CLOSED }),
      ).toEqual([
        [OPENED + SECOND, CLOSED, CLOSED],
        [EARLY + SECOND, EARLY, CLOSED],
        [SETTLED + SECOND, EARLY, SETTLED],
      ])
    })

    it('has the expected result instead when no close is stated', () => {
      expect(timesOf({ expirationTime: CLOSED })[0]).toEqual([OPENED + SECOND, CLOSED, CLOSED])
    })

    it('has no close when nothing later is known', () => {
      expect(timesOf({ expirationTime: null })[0]).toEqual([OPENED + SECOND, null, null])
      expect(timesOf({ expirationTime: OPENED })[0]).toEqual([OPENED + SECOND, null, OPENED])
    })

    it.each([0, SECOND, 60 * SECOND])(
      'keeps a scheduled close, %i ms before a round time',
      (ms) => {
        const closeTime = (CLOSED - ms) as Millis
        expect(timesOf({ closeTime, expirationTime: SETTLED })[0]?.[1]).toBe(closeTime)
      },
    )
  })

  it('leaves out the close if the market closed as it ended', () => {
    const versions = versionsOf({ status: 'settled', result: 'no', closeTime: SETTLED })
    expect(versions.map(([, status]) => status)).toEqual(['active', 'settled'])
  })
})

it('gives equal fingerprints to equal facts in another key order', () => {
  const facts = marketFacts({})
  const turned = Object.fromEntries(Object.entries(facts).reverse()) as unknown as MarketFacts
  expect(fingerprintOf(turned)).toBe(fingerprintOf(facts))
  expect(fingerprintOf({ ...facts, title: 'Another' })).not.toBe(fingerprintOf(facts))
})

it('fingerprints long facts in few characters', () => {
  const facts = marketFacts({ title: 'long '.repeat(1_000) })
  expect(fingerprintOf(marketFacts())).not.toBe(fingerprintOf(facts))
  expect(fingerprintOf(facts).length).toBeLessThan(64)
})
