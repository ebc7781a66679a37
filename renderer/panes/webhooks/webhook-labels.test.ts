import { expect, it } from 'vitest'
import type { ApiFailure } from '../../api/client.ts'
import { deliveryUnderTest, endpointUnderTest } from '../../testing/webhooks.ts'
import {
  errorText,
  eventsText,
  hostOf,
  lastStatusText,
  mayReplay,
  stateHelp,
  stateText,
  webhookRefusal,
} from './webhook-labels.ts'

it.each([
  ['active', null, 'active', /are delivered/],
  ['degraded', null, 'degraded', /20% of the attempts/],
  ['paused', 'user', 'paused by you', /until it is resumed/],
  ['paused', 'failure_rate', 'paused: too many errors', /More than half/],
  ['paused', 'gone', 'paused: gone (410)', /410 Gone/],
] as const)('explains an endpoint that is %s for %s', (state, pausedReason, text, help) => {
  const endpoint = endpointUnderTest({ state, pausedReason })
  expect(stateText(endpoint)).toBe(text)
  expect(stateHelp(endpoint)).toMatch(help)
})

it.each([
  ['https://hooks.example.com/augury?key=1', 'hooks.example.com'],
  ['https://hooks.example.com:8443/a', 'hooks.example.com:8443'],
  ['hooks', 'hooks'],
])('shortens %s to its host', (url, host) => {
  expect(hostOf(url)).toBe(host)
})

it('lists events by name unless the endpoint receives all of them', () => {
  expect(eventsText(endpointUnderTest().events)).toBe('all')
  expect(eventsText(['alert.fired', 'thesis.killed'])).toBe('alert.fired, thesis.killed')
})

it.each([
  [{ lastDeliveryAt: null, lastStatus: null }, '–'],
  [{ lastStatus: null }, 'no response'],
  [{ lastStatus: 410 }, '410'],
])('writes the last status of %o as %s', (more, text) => {
  expect(lastStatusText(endpointUnderTest(more))).toBe(text)
})

it.each([
  [null, null],
  ['HTTP 503', 'HTTP 503'],
  ['endpoint_paused', 'the endpoint was paused'],
  ['endpoint_deleted', 'the endpoint was deleted'],
  ['interrupted', 'the service stopped during the attempt'],
])('explains the error %s', (lastError, text) => {
  expect(errorText(deliveryUnderTest({ lastError }))).toBe(text)
})

it.each([
  ['pending', false],
  ['delivered', true],
  ['failed', true],
  ['suppressed', false],
] as const)('offers to replay a delivery that is %s: %s', (status, may) => {
  expect(mayReplay(deliveryUnderTest({ status }))).toBe(may)
})

const failure = (status: number, code: string | null, message: string): ApiFailure => ({
  kind: 'refused',
  status,
  code,
  message,
  retryAfter: null,
})

it.each([
  [400, 'URL_REFUSED', 'url refused: url must use https', /starts with https:\/\//],
  [400, 'URL_REFUSED', 'url refused: address is not public', /public addresses only/],
  [400, 'URL_REFUSED', 'url refused: port 6379 is not allowed', /refused: port 6379/],
  [409, 'CONFLICT', 'an endpoint with this label and url exists', /Change the label/],
  [409, 'CONFLICT', 'at most 20 endpoints may exist: delete one first', /Remove one first/],
  [409, 'CONFLICT', 'endpoint is paused', /Resume it first/],
  [409, 'CONFLICT', 'delivery is still pending', /still pending/],
  [404, 'NOT_FOUND', 'Endpoint not found', /^Endpoint not found\.$/],
])('explains a response %d %s: %s', (status, code, message, text) => {
  expect(webhookRefusal(failure(status, code, message))).toMatch(text)
})
