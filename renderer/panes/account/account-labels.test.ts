import { describe, expect, it } from 'vitest'
import type { ApiFailure } from '../../api/client.ts'
import type { KeyRow } from '../../../backend/contract/accounts.ts'
import { listedKeys } from './key-rows.ts'
import { refusalLabel } from './refusal-labels.ts'
import { programLabel } from './session-labels.ts'
import { dayNumber, daysSentence, dayText, everyDay } from './usage-days.ts'

const failure = (change: Partial<ApiFailure>): ApiFailure => ({
  kind: 'refused',
  status: 400,
  code: null,
  message: 'bad',
  retryAfter: null,
  ...change,
})

it.each([
  [{ status: 409, code: 'KEY_LIMIT', message: 'At most 20 active keys' }, /20 active keys.*Revoke/],
  [{ status: 401, code: 'AUTH_INVALID', message: 'Wrong email or password' }, /^Wrong email or/],
  [{ kind: 'limited', status: 429, retryAfter: 41_200 }, /Try again in 42 s/],
  [{ kind: 'unreachable', status: null, message: 'The service is not reachable' }, /not reachable/],
  [{ kind: 'timeout', status: null, message: 'No answer in time' }, /Check before you try again/],
  [{ status: 404, message: 'The service answered 404' }, /does not offer this function/],
  [
    { message: 'out must be an absolute path, was "x"' },
    /^Out must be an absolute path, was "x"\.$/,
  ],
] as const)('%o reads %s', (change, description) =>
  expect(refusalLabel(failure(change))).toMatch(description),
)

const key = (id: string, createdAt: string, revokedAt: string | null = null): KeyRow => ({
  id,
  name: id,
  keyPrefix: 'svc_live_abc',
  lastUsedAt: null,
  revokedAt,
  createdAt,
})

it('lists active keys of both kinds first, newest first', () => {
  const rows = listedKeys(
    [key('old', '2026-01-01'), key('gone', '2026-09-01', '2026-09-02')],
    [key('data', '2026-05-01')],
  )
  expect(rows.map(({ id, kind }) => [id, kind])).toEqual([
    ['data', 'data'],
    ['old', 'service'],
    ['gone', 'service'],
  ])
})

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36', 'Chrome on Linux'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X) Electron/45 Chrome/140', 'Desktop window on macOS'],
  ['curl/8.0', 'curl/8.0'],
  [null, 'Unnamed program'],
])('%s is %s', (userAgent, description) => expect(programLabel(userAgent)).toBe(description))

describe('days of use', () => {
  const days = everyDay({
    from: '2026-11-18T10:00:00.000Z',
    to: '2026-11-20T10:00:00.000Z',
    byDay: [{ date: '2026-11-19', requests: 1_200, errors: 1, costUsd: 0 }],
  })

  it('are all listed, with or without requests', () => {
    expect(days.map(({ day, requests }) => [dayText(day), requests])).toEqual([
      ['2026-11-18', 0],
      ['2026-11-19', 1_200],
      ['2026-11-20', 0],
    ])
    expect(dayText(dayNumber('2024-02-29'))).toBe('2024-02-29')
  })

  it('are summed up in a sentence', () => {
    expect(daysSentence(days)).toBe('1,200 requests in 3 days, most on 2026-11-19 with 1,200.')
    expect(daysSentence([])).toBe('No requests in this period.')
  })
})

it('a single request is no empty period', () => {
  expect(daysSentence([{ day: 20_000, requests: 1, errors: 0 }])).toMatch(/^1 requests? in one day/)
  expect(daysSentence([{ day: 20_000, requests: 0, errors: 0 }])).toBe(
    'No requests in this period.',
  )
})
