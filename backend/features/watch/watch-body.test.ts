import { describe, expect, it } from 'vitest'
import type { AlertRule, WatchedObject } from '../../domain/alerts/alert-rule.ts'
import type { Millis } from '../../domain/units.ts'
import { NotConfigured } from '../../lib/errors.ts'
import {
  changedObject,
  changedRule,
  isEqualRule,
  namesRule,
  newRule,
  textsIn,
  parseWatched,
} from './watch-body.ts'

const NOW = 1_000 as Millis
const LATER = 2_000 as Millis

const object: WatchedObject = {
  id: 'wo_1',
  userId: 'usr_1',
  kind: 'market',
  ref: 'KX-1',
  label: 'Oil above 100?',
  venue: 'venue_a',
  note: 'mine',
  state: 'active',
  lastRefreshedAt: null,
  createdAt: NOW,
  updatedAt: NOW,
}
const topic: WatchedObject = { ...object, kind: 'topic', ref: 'oil', label: 'Oil' }

const ruleOf = (body: object, watched = object): AlertRule =>
  newRule(body, watched, () => true, NOW)
const changed = (body: object, rule: AlertRule, watched = object): AlertRule =>
  changedRule(body, rule, { object: watched, isAvailable: () => true }, LATER)

const price = ruleOf({ condition: 'price_above', threshold: 60 })

describe('the object of a body', () => {
  it('is a market by its ticker, or any kind by its reference', () => {
    expect(parseWatched({ ticker: 'KX-1', kind: 'topic' })).toEqual({ kind: 'market', ref: 'KX-1' })
    expect(parseWatched({ kind: 'topic', ref: 'oil' })).toEqual({ kind: 'topic', ref: 'oil' })
    expect(parseWatched({ ticker: 'K'.repeat(200) }).ref).toHaveLength(200)
    expect(parseWatched({ kind: 'topic', ref: 'o'.repeat(300) }).ref).toHaveLength(300)
  })

  it.each([
    [{}, 'ticker, or kind and ref, is required'],
    [{ kind: 'topic' }, 'ref is required'],
    [{ ticker: '' }, /^ticker/],
    [{ ticker: 'K'.repeat(201) }, /^ticker/],
    [{ kind: 'planet', ref: 'x' }, /^kind/],
    [{ kind: 'topic', ref: 'o'.repeat(301) }, /^ref/],
  ])('%j is refused', (body, message) => {
    expect(() => parseWatched(body)).toThrow(message)
  })

  it('has a label and a note; an empty note removes it', () => {
    expect(textsIn({})).toEqual({})
    expect(textsIn({ label: 'L'.repeat(120), note: '' })).toEqual({
      label: 'L'.repeat(120),
      note: null,
    })
    expect(textsIn({ note: 'n'.repeat(2_000) })).toEqual({ note: 'n'.repeat(2_000) })
    expect(() => textsIn({ label: 'L'.repeat(121) })).toThrow(/^label/)
    expect(() => textsIn({ label: '' })).toThrow(/^label/)
    expect(() => textsIn({ note: 'n'.repeat(2_001) })).toThrow(/^note/)
  })

  it('changes what is sent and keeps the rest', () => {
    expect(changedObject({ state: 'archived' }, object, LATER)).toEqual({
      ...object,
      state: 'archived',
      updatedAt: LATER,
    })
    expect(changedObject({ note: '' }, object, LATER)).toEqual({
      ...object,
      note: null,
      updatedAt: LATER,
    })
    expect(() => changedObject({}, object, LATER)).toThrow('No valid fields to update')
    expect(() => changedObject({ other: 1 }, object, LATER)).toThrow('No valid fields to update')
  })
})

describe('a new rule', () => {
  it('has the defaults of the contract', () => {
    expect(price).toMatchObject({
      userId: 'usr_1',
      objectId: 'wo_1',
      ticker: 'KX-1',
      condition: 'price_above',
      threshold: 60,
      match: null,
      channel: 'desktop',
      endpointId: null,
      target: null,
      state: 'active',
      pausedReason: null,
      conditionTrue: false,
      fireCount: 0,
      suppressedCount: 0,
      failureCount: 0,
      lastFiredAt: null,
      lastEvaluatedAt: null,
      createdAt: NOW,
      updatedAt: NOW,
    })
    expect(price.label).toMatch(/60/)
    expect(ruleOf({ condition: 'econ_release' }, topic)).toMatchObject({
      ticker: null,
      threshold: null,
      label: 'Release: Oil',
    })
    expect(ruleOf({ condition: 'semantic_match', match: 'oil price' }, topic)).toMatchObject({
      match: 'oil price',
      label: 'Like oil price',
    })
    expect(namesRule({ condition: 'price_above' })).toBe(true)
    expect(namesRule({ ticker: 'KX-1' })).toBe(false)
  })

  it('takes its own label, and a generated one of at most 120 characters', () => {
    expect(ruleOf({ condition: 'price_below', threshold: 0, label: 'Low' }).label).toBe('Low')
    const long = { condition: 'semantic_match', match: 'm'.repeat(500) }
    expect(ruleOf(long, topic).label).toHaveLength(120)
  })

  it.each([
    [{}, 'condition is required'],
    [{ condition: 'price_above' }, 'threshold is required in cents'],
    [{ condition: 'price_above', threshold: 101 }, /^threshold/],
    [{ condition: 'price_above', threshold: -1 }, /^threshold/],
    [
      { condition: 'price_above', threshold: 5, channel: 'webhook' },
      'endpointId is required for channel webhook',
    ],
    [
      { condition: 'price_above', threshold: 5, channel: 'email', target: 'nobody' },
      'target must be an email address',
    ],
    [
      { condition: 'price_above', threshold: 5, channel: 'telegram', target: 'a b' },
      'target must be the id of a chat',
    ],
  ])('of %j is refused', (body, message) => {
    expect(() => ruleOf(body)).toThrow(message)
  })

  it.each([
    [{ condition: 'price_above', threshold: 5 }, 'condition price_above needs a market'],
    [{ condition: 'econ_release', threshold: 1 }, 'threshold is not allowed for econ_release'],
    [{ condition: 'semantic_match' }, 'match is required for semantic_match'],
    [{ condition: 'semantic_match', match: 'oil', threshold: 1.1 }, /^threshold/],
    [{ condition: 'semantic_match', match: 'oi' }, /^match/],
  ])('on a topic, of %j is refused', (body, message) => {
    expect(() => ruleOf(body, topic)).toThrow(message)
  })

  it('needs a source of its items', () => {
    expect(() => newRule({ condition: 'econ_release' }, topic, () => false, NOW)).toThrow(
      NotConfigured,
    )
  })

  it.each([
    [{ channel: 'webhook', endpointId: 'we_1' }, 'webhook', 'we_1', null],
    [{ channel: 'email', target: 'a@b.test' }, 'email', null, 'a@b.test'],
    [{ channel: 'email' }, 'email', null, null],
    [{ channel: 'telegram', target: '-100123' }, 'telegram', null, '-100123'],
    [{ channel: 'desktop', target: 'a@b.test' }, 'desktop', null, null],
  ])('is delivered by %j', (sent, channel, endpointId, target) => {
    const rule = ruleOf({ condition: 'price_above', threshold: 5, ...sent })
    expect([rule.channel, rule.endpointId, rule.target]).toEqual([channel, endpointId, target])
  })
})

describe('a changed rule', () => {
  const fired: AlertRule = { ...price, conditionTrue: true, failureCount: 3 }

  it('keeps what is not sent', () => {
    expect(changed({ windowSeconds: 7_200 }, fired)).toEqual({
      ...fired,
      windowSeconds: 7_200,
      failureCount: 0,
      updatedAt: LATER,
    })
    expect(() => changed({}, fired)).toThrow('No valid fields to update')
  })

  it('is evaluated from the start and renamed with another condition', () => {
    const next = changed({ threshold: 70 }, fired)
    expect(next).toMatchObject({ threshold: 70, conditionTrue: false })
    expect(next.label).toMatch(/70/)
    // Another price condition keeps the threshold.
    expect(changed({ condition: 'price_below' }, fired)).toMatchObject({
      condition: 'price_below',
      threshold: 60,
      conditionTrue: false,
    })
    expect(changed({ threshold: 60 }, fired).conditionTrue).toBe(true)
  })

  it('keeps a name that the user gave, and takes a new one', () => {
    const named = { ...fired, label: 'Mine' }
    expect(changed({ threshold: 70 }, named).label).toBe('Mine')
    expect(changed({ threshold: 70, label: 'Other' }, named).label).toBe('Other')
  })

  it('is sent to another endpoint', () => {
    const sent = ruleOf({
      condition: 'price_above',
      threshold: 60,
      channel: 'webhook',
      endpointId: 'we_1',
    })
    expect(changed({ endpointId: 'we_2' }, sent)).toMatchObject({
      channel: 'webhook',
      endpointId: 'we_2',
    })
  })

  it.each([
    [{ channel: 'email', target: 'a@b.test' }],
    [{ channel: 'telegram', target: '-100123' }],
  ])('keeps the target of %j until another is sent', (delivery) => {
    const sent = ruleOf({ condition: 'price_above', threshold: 60, ...delivery })
    expect(changed({ endpointId: null }, sent)).toMatchObject(delivery)
    expect(changed({ endpointId: 'we_1' }, sent)).toMatchObject({ ...delivery, endpointId: null })
    expect(changed({ channel: delivery.channel }, sent)).toMatchObject(delivery)
    expect(changed({ target: null }, sent).target).toBeNull()
    expect(changed({ channel: 'desktop' }, sent).target).toBeNull()
  })

  it('does not send to the target of another channel', () => {
    const sent = ruleOf({
      condition: 'price_above',
      threshold: 60,
      channel: 'telegram',
      target: '-100123',
    })
    expect(changed({ channel: 'email' }, sent)).toMatchObject({ channel: 'email', target: null })
    expect(changed({ channel: 'email', target: 'a@b.test' }, sent).target).toBe('a@b.test')
  })

  it('keeps its endpoint when only other fields of the delivery are sent', () => {
    const sent = ruleOf({
      condition: 'price_above',
      threshold: 60,
      channel: 'webhook',
      endpointId: 'we_1',
    })
    for (const body of [{ channel: 'webhook' }, { target: null }, { target: 'a@b.test' }]) {
      expect(changed(body, sent)).toMatchObject({ endpointId: 'we_1', target: null })
    }
    expect(() => changed({ endpointId: null }, sent)).toThrow('endpointId is required')
    expect(() => changed({ channel: 'webhook' }, fired)).toThrow('endpointId is required')
  })

  it('is paused by its user, and resumed without its failures', () => {
    const paused = changed({ state: 'paused' }, fired)
    expect(paused).toMatchObject({ state: 'paused', pausedReason: 'user', failureCount: 3 })
    expect(changed({ label: 'x' }, { ...paused, pausedReason: 'endpoint_gone' })).toMatchObject({
      pausedReason: 'endpoint_gone',
    })
    expect(changed({ state: 'active' }, paused)).toMatchObject({
      state: 'active',
      pausedReason: null,
      failureCount: 0,
    })
  })

  it('fires for items from then on when it is changed or resumed', () => {
    const item = ruleOf({ condition: 'semantic_match', match: 'oil price' }, topic)
    expect(changed({ label: 'x' }, item, topic).itemsFrom).toBe(item.itemsFrom)
    expect(changed({ match: 'gas price' }, item, topic)).toMatchObject({ itemsFrom: LATER })
    const paused = { ...item, state: 'paused' as const }
    expect(changed({ state: 'active' }, paused, topic)).toMatchObject({ itemsFrom: LATER })
    expect(changed({ threshold: 70 }, fired).itemsFrom).toBeUndefined()
    // The text of a match is kept with another threshold.
    expect(changed({ threshold: 0.9 }, item, topic)).toMatchObject({
      match: 'oil price',
      threshold: 0.9,
    })
  })

  it('is equal to another one when both would fire together', () => {
    expect(isEqualRule(price, { ...price, id: 'other', label: 'x', fireCount: 9 })).toBe(true)
    for (const change of [
      { condition: 'price_below' },
      { threshold: 61 },
      { match: 'x' },
      { channel: 'email' },
      { endpointId: 'we_1' },
      { target: 'a@b.test' },
      { state: 'archived' },
    ]) {
      expect(isEqualRule({ ...price, ...change } as AlertRule, price)).toBe(false)
    }
  })
})
