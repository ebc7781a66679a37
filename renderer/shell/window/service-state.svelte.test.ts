import { flushSync } from 'svelte'
import { describe, expect, it } from 'vitest'
import type { ApiFailure } from '../../api/client.ts'
import { Source, type PolledQuery } from '../../api/source.svelte.ts'
import type { LinkState } from '../../api/socket/link.ts'
import { Account } from './account.svelte.ts'
import { dataStateOf } from './data-state.ts'
import { ServiceHealth, type PolledQuote } from './health.svelte.ts'
import { linkText } from './link-text.ts'

const START = Date.parse('2026-11-20T10:00:00.000Z')
const isoAt = (seconds: number) => new Date(START + seconds * 1_000).toISOString()
const failure: ApiFailure = {
  kind: 'refused',
  status: 503,
  code: null,
  message: 'busy',
  retryAfter: null,
}

/** The parts of the page's connection, whose answers a test sets. */
function connection() {
  const sources = new Map<string, Source>()
  const calls: string[] = []
  let isLive = $state(false)
  let isComplete = $state(false)
  let link = $state.raw<LinkState>({ kind: 'connecting' })
  let now = $state(START)
  const record =
    (what: string) =>
    ({ path }: Source) => {
      calls.push(`${what} ${path}`)
      return () => void calls.push(`end ${what} ${path}`)
    }
  const answers: { ok: boolean }[] = []
  const live = {
    source: (query: PolledQuery<object>) => {
      const known = sources.get(query.path) ?? new Source(query)
      sources.set(query.path, known)
      return known
    },
    subscribe: record('poll'),
    feed: record('feed'),
    refetch: ({ path }: Source) => void calls.push(`refetch ${path}`),
    forgetOwn: () => void calls.push('forget'),
    send: (method: string, path: string, body: object) => {
      calls.push(`${method} ${path} ${JSON.stringify(body)}`)
      return Promise.resolve(answers.shift() ?? { ok: true, body: {} })
    },
    topics: {
      get isLive() {
        return isLive
      },
      get isComplete() {
        return isComplete
      },
      get link() {
        return link
      },
      check: () => void calls.push('check'),
    },
    clock: {
      get now() {
        return now
      },
    },
  }
  const find = (path: string): Source => {
    const found = [...sources].find(([known]) => known.startsWith(path))
    if (found === undefined) throw new Error(`no source ${path}`)
    return found[1]
  }
  return {
    live: live as never,
    calls,
    answers,
    find,
    setLive: (value: boolean) => void (isLive = value),
    setComplete: (value: boolean) => void (isComplete = value),
    setLink: (value: LinkState) => void (link = value),
    pass: (seconds: number) => void (now += seconds * 1_000),
  }
}

interface Component {
  readonly name: string
  readonly status?: string
  readonly dataAgeSeconds?: number | null
}

function healthUnderTest() {
  const scene = connection()
  const health = new ServiceHealth(scene.live)
  const [basic, status, quotes] = ['/api/health', '/status', '/api/public/live'].map(
    scene.find,
  ) as [Source, Source, Source]
  const answer = (source = 'live') => {
    basic.body = { source, version: '1.2', time: isoAt(0) }
  }
  const report = (...components: readonly Component[]) => {
    status.body = {
      updatedAt: isoAt(0),
      components: components.map((component) => ({
        status: 'operational',
        dataAgeSeconds: null,
        ...component,
      })),
    }
  }
  const quote = (...rows: readonly object[]) => {
    quotes.body = { tickers: rows, generatedAt: isoAt(0) }
  }
  return { ...scene, health, basic, status, quotes, answer, report, quote }
}

describe('the connection to the service', () => {
  const states = ({ health }: ReturnType<typeof healthUnderTest>) =>
    [
      ...(health.connected ? ['connected'] : []),
      ...(health.connecting ? ['connecting'] : []),
      ...(health.lost ? ['lost'] : []),
    ].join(' ')

  it.each([
    { name: 'nothing was answered', state: 'connecting' },
    { name: 'the first request failed', basic: failure, state: '' },
    { name: 'the service answers', answered: true, state: 'connected' },
    { name: 'it answered and fails now', answered: true, basic: failure, state: 'lost' },
    {
      name: 'it fails now, but the socket is connected',
      answered: true,
      basic: failure,
      isLive: true,
      state: 'connected',
    },
    { name: 'only the socket is connected', isLive: true, state: 'connected' },
    { name: 'the venues were never reported', answered: true, status: failure, state: 'connected' },
    {
      name: 'the venues are no longer reported',
      answered: true,
      reported: true,
      status: failure,
      isLive: true,
      state: 'lost',
    },
    {
      name: 'the venues are reported',
      answered: true,
      reported: true,
      isLive: true,
      state: 'connected',
    },
  ])('$name: $state', ({ answered, reported, basic, status, isLive, state }) => {
    const scene = healthUnderTest()
    if (answered === true) scene.answer()
    if (reported === true) scene.report()
    scene.basic.failure = basic ?? null
    scene.status.failure = status ?? null
    scene.setLive(isLive === true)
    expect(states(scene)).toBe(state)
  })

  it('reports its version, its time and whether its data are samples', () => {
    const { health, answer } = healthUnderTest()
    expect([health.version, health.source, health.serviceTime, health.sample]).toEqual([
      null,
      null,
      null,
      false,
    ])
    answer()
    expect([health.version, health.source, health.serviceTime, health.sample]).toEqual([
      '1.2',
      'live',
      START,
      false,
    ])
    answer('demo')
    expect(health.sample).toBe(true)
    answer()
    health.holdsSample = true
    expect(health.sample).toBe(true)
  })

  it('is polled until the end; what the socket reports is fed by it', () => {
    const { health, calls, answer, setLive, setComplete } = healthUnderTest()
    const polled = ['/api/health', '/status?format=json', '/api/public/live-tickers?limit=500']
    const stop = health.watch()
    expect(calls).toEqual(polled.map((path) => `poll ${path}`))
    stop()
    expect(calls.splice(0).slice(3)).toEqual(polled.map((path) => `end poll ${path}`))
    health.follow()()
    setLive(true)
    health.follow()()
    expect(calls).toEqual([])
    answer()
    health.follow()()
    expect(calls.splice(0)).toEqual(['feed /api/health', 'end feed /api/health'])
    setLive(false)
    setComplete(true)
    health.follow()()
    expect(calls[0]).toBe('feed /api/public/live-tickers?limit=500')
    expect(calls[1]).toMatch(/^end feed/)
  })
})

describe('the age of the data', () => {
  it('is that of the oldest venue, and grows since its report', () => {
    const { health, report, pass } = healthUnderTest()
    expect(health.worstAge).toBeNull()
    report({ name: 'venue_a' }, { name: 'database', dataAgeSeconds: 900 })
    expect(health.worstAge).toBeNull()
    report({ name: 'venue_a', dataAgeSeconds: 2 }, { name: 'venue_b', dataAgeSeconds: 7 })
    expect(health.worstAge).toBe(7_000)
    pass(3)
    expect(health.worstAge).toBe(10_000)
    pass(-60)
    expect(health.worstAge).toBe(7_000)
  })

  it.each([
    { what: 'no report', state: 'fresh' },
    { what: 'an operational venue', status: 'operational', state: 'fresh' },
    { what: 'a degraded venue', status: 'degraded', state: 'late' },
    { what: 'an outage', status: 'outage', state: 'stale' },
    { what: 'a report of a minute ago', status: 'operational', passed: 60, state: 'fresh' },
    { what: 'a later one', status: 'operational', passed: 61, state: 'late' },
    { what: 'a report of three minutes ago', status: 'operational', passed: 181, state: 'stale' },
    { what: 'a lost service', status: 'operational', isLost: true, state: 'late' },
    { what: 'a service without a source', source: 'none', state: 'stale' },
  ])('with $what a venue is $state', ({ status, passed, isLost, source, state }) => {
    const scene = healthUnderTest()
    const { health } = scene
    if (source !== undefined) scene.answer(source)
    if (status !== undefined) scene.report({ name: 'venue_a', status })
    scene.pass(passed ?? 0)
    scene.status.failure = isLost === true ? failure : null
    expect([health.venue('venue_a'), health.feeds]).toEqual([state, state])
  })

  it('of all venues is that of the worst', () => {
    const { health, report } = healthUnderTest()
    report({ name: 'venue_a' }, { name: 'venue_b', status: 'outage' })
    expect([health.venue('venue_a'), health.venue('venue_b'), health.feeds]).toEqual([
      'fresh',
      'stale',
      'stale',
    ])
  })
})

describe('the condition of a pane', () => {
  const source = (seconds: number | null, more: Partial<PolledQuery<object>> = {}) => {
    const made = new Source<object>({
      path: '/x' as never,
      interval: 1_000,
      cadence: 10_000,
      timeOf: () => (seconds === null ? null : isoAt(seconds)),
      ...more,
    })
    made.body = {}
    return made
  }

  it('is the age of its oldest answer, against how often it is renewed', () => {
    const { health, pass } = healthUnderTest()
    expect(health.conditionOf([])).toEqual({
      freshness: 'fresh',
      age: null,
      loading: false,
      offline: false,
    })
    const [first, second] = [source(0), source(-5)]
    expect(health.conditionOf([first, second])).toMatchObject({ freshness: 'fresh', age: 5_000 })
    pass(6)
    expect(health.conditionOf([first, second])).toMatchObject({ freshness: 'late', age: 11_000 })
    expect(health.freshnessOf([first, second])).toBe('late')
    expect(health.freshnessOf([first])).toBe('fresh')
    // An answer from a clock that is ahead has no negative age.
    expect(health.conditionOf([source(60)])).toMatchObject({ freshness: 'fresh', age: 0 })
  })

  it('ignores what was not answered, and is stale without a time', () => {
    const { health } = healthUnderTest()
    const unanswered = source(-100)
    unanswered.body = null
    expect(health.conditionOf([unanswered])).toMatchObject({ freshness: 'fresh', age: null })
    expect(health.conditionOf([source(null)])).toMatchObject({ freshness: 'stale', age: null })
    expect(health.freshnessOf([source(null)])).toBe('stale')
  })

  it('of market data is as old as the last message of a silent venue', () => {
    const { health, report } = healthUnderTest()
    report({ name: 'venue_a', status: 'outage', dataAgeSeconds: 500 })
    expect(health.conditionOf([source(0)])).toMatchObject({ freshness: 'stale', age: 500_000 })
    expect(health.conditionOf([source(0, { isOfMarkets: false })])).toMatchObject({
      freshness: 'fresh',
      age: 0,
    })
    expect([
      health.freshnessOfPrice('venue_a', [source(0)]),
      health.freshnessOfPrice('venue_b', [source(0)]),
      health.freshnessOfPrice('venue_b', [source(-11)]),
    ]).toEqual(['stale', 'fresh', 'late'])
    report({ name: 'venue_a', dataAgeSeconds: 500 })
    expect(health.conditionOf([source(0)])).toMatchObject({ freshness: 'fresh', age: 0 })
  })

  it('is loading with one of its requests, and offline when the service is not reached', () => {
    const { health, report, status } = healthUnderTest()
    const [idle, busy] = [source(0), source(0)]
    busy.loading = true
    expect(health.conditionOf([idle, busy]).loading).toBe(true)
    for (const kind of ['unreachable', 'timeout'] as const) {
      busy.failure = { ...failure, kind }
      expect(health.conditionOf([idle, busy]).offline).toBe(true)
    }
    busy.failure = failure
    expect(health.conditionOf([idle, busy]).offline).toBe(false)
    report()
    status.failure = failure
    expect(health.conditionOf([]).offline).toBe(true)
  })
})

describe('the newest quote of a market', () => {
  const quoteAt = (ticker: string, seconds: number): PolledQuote =>
    ({ ticker, updatedAt: isoAt(seconds) }) as PolledQuote
  const known = (ticker: string, seconds: number) => ({ ticker, updatedAt: isoAt(seconds) })

  it('is that of a pane only when it is newer than the shared one and than what is shown', () => {
    const { health, quote } = healthUnderTest()
    const at = (seconds: number) => health.newestQuote(known('KX', seconds))?.updatedAt
    expect(at(0)).toBeUndefined()
    health.record(quoteAt('KX', 5))
    expect([at(0), at(5), at(6)]).toEqual([isoAt(5), undefined, undefined])
    quote(quoteAt('KX', 4))
    expect([at(0), at(5)]).toEqual([isoAt(5), isoAt(4)])
    quote(quoteAt('KX', 5))
    const shared = health.quoteOf.get('KX')
    expect(health.newestQuote(known('KX', 0))).toBe(shared)
    // An older or equal one changes nothing.
    for (const seconds of [1, 5]) health.record({ ...quoteAt('KX', seconds), price: 9 })
    quote()
    expect(health.newestQuote(known('KX', 0))).toEqual(quoteAt('KX', 5))
  })

  it('is kept for 100 markets; the oldest go', () => {
    const { health } = healthUnderTest()
    const has = (index: number) => health.newestQuote(known(`K${index}`, 0)) !== undefined
    for (let index = 0; index < 100; index += 1) health.record(quoteAt(`K${index}`, 1))
    health.record(quoteAt('K50', 2))
    expect(has(0)).toBe(true)
    health.record(quoteAt('K100', 1))
    expect([has(0), has(1), has(100)]).toEqual([false, true, true])
  })
})

describe('the state of the data for tray and notifications', () => {
  const stateOf = ({ health }: ReturnType<typeof healthUnderTest>, pausing = {}) =>
    dataStateOf({ health, pausing: { isAll: false, count: 0, ...pausing } as never })

  it('begins with the connection', () => {
    const scene = healthUnderTest()
    expect(stateOf(scene)).toEqual({ tone: 'late', text: 'Connecting', isPaused: false })
    scene.basic.failure = failure
    expect(stateOf(scene)).toMatchObject({ tone: 'lost', text: 'The service is not reachable' })
  })

  it('names the venues that are late or stale', () => {
    const scene = healthUnderTest()
    scene.answer()
    const venues = ['venue_a', 'venue_b'] as const
    const report = (...states: readonly string[]) => {
      scene.report(
        ...states.map((status, index) => ({
          name: venues[index] ?? '',
          status,
          dataAgeSeconds: 30,
        })),
      )
      return stateOf(scene)
    }
    expect(report('operational', 'operational')).toMatchObject({
      tone: 'fresh',
      text: 'Connected, data 30s old',
    })
    expect(report('operational', 'degraded')).toMatchObject({ tone: 'late' })
    const both = report('outage', 'degraded')
    expect([both.tone, both.text]).toEqual([
      'stale',
      expect.stringMatching(/^.+ and .+ stale, data 30s old$/),
    ])
  })

  it.each([
    { pausing: { isAll: true }, isPaused: true },
    { pausing: { count: 1 }, isPaused: true },
    { pausing: {}, isPaused: false },
  ])('is paused with $pausing: $isPaused', ({ pausing, isPaused }) => {
    const scene = healthUnderTest()
    expect(stateOf(scene, pausing).isPaused).toBe(isPaused)
    scene.answer()
    expect(stateOf(scene, pausing).isPaused).toBe(isPaused)
  })
})

describe('the text of the connection', () => {
  const text = (link: LinkState, isReachable = true) => linkText(link, START, { isReachable })
  it('counts the seconds to the next attempt, and gives the reason of the wait', () => {
    const waiting = (until: number, reason: 'refused' | 'lost' | 'stopping') =>
      ({ kind: 'waiting', until: START + until, reason }) as const
    expect(text(waiting(4_001, 'stopping'))).toEqual({
      tone: 'late',
      text: 'Reconnecting in 5 s',
      help: 'The service is restarting. Panes poll meanwhile',
    })
    expect(text(waiting(4_000, 'lost')).text).toBe('Reconnecting in 4 s')
    expect(text(waiting(-9_000, 'lost')).text).toBe('Reconnecting in 0 s')
    expect(text(waiting(1, 'refused')).help).toMatch(/^The service refused live updates/)
    expect(text(waiting(1, 'refused'), false).help).toMatch(/^The connection was lost/)
    expect(text(waiting(1, 'stopping'), false).help).toMatch(/^The service is restarting/)
  })

  it('names the other states', () => {
    expect([text({ kind: 'live' }), text({ kind: 'connecting' })]).toMatchObject([
      { tone: 'ok', text: 'Live' },
      { tone: 'faint', text: 'Connecting' },
    ])
    expect(text({ kind: 'polling', reason: 'misunderstood' })).toMatchObject({
      tone: 'faint',
      text: 'Polling',
      help: 'The page and the service have different versions; reload the page. Panes poll meanwhile',
    })
  })
})

const ME = '/api/auth/me'
function accountUnderTest() {
  const scene = connection()
  const account = new Account(scene.live)
  const me = scene.find(ME)
  const known = (id = 'ann') => (me.body = { user: { id } })
  const unknown = () => (me.failure = { ...failure, status: 401 })
  const watched = () => {
    const stop = account.watch()
    const polled = scene.calls.splice(0).includes(`poll ${ME}`)
    stop()
    scene.calls.length = 0
    return polled
  }
  return { ...scene, account, me, known, unknown, watched }
}
const SIGNED_OUT: LinkState = { kind: 'polling', reason: 'signed-out' }

describe('the account', () => {
  it('is requested once the socket reported a session, or cannot report one', () => {
    const { watched, setLink, unknown, known, me } = accountUnderTest()
    expect(watched()).toBe(false)
    setLink(SIGNED_OUT)
    expect(watched()).toBe(false)
    setLink({ kind: 'polling', reason: 'misunderstood' })
    expect(watched()).toBe(true)
    setLink({ kind: 'waiting', until: 0, reason: 'lost' })
    expect(watched()).toBe(true)
    unknown()
    expect(watched()).toBe(false)
    me.clear()
    known()
    setLink(SIGNED_OUT)
    expect(watched()).toBe(true)
  })

  it('is unknown until it is answered, and anonymous without a session', () => {
    const { account, setLink, unknown, known } = accountUnderTest()
    expect([account.signInState, account.user, account.me]).toEqual(['unknown', null, null])
    setLink(SIGNED_OUT)
    expect(account.signInState).toBe('anonymous')
    known()
    expect([account.signInState, account.user?.id, account.me !== null]).toEqual([
      'known',
      'ann',
      true,
    ])
    unknown()
    expect([account.signInState, account.user, account.me]).toEqual(['anonymous', null, null])
  })

  it('is requested again when its session ended elsewhere, once', () => {
    const { account, calls, setLink, known } = accountUnderTest()
    known()
    setLink(SIGNED_OUT)
    account.watch()
    account.watch()
    expect(calls.filter((call) => call.startsWith('refetch'))).toEqual([`refetch ${ME}`])
  })

  it('forgets an error when the socket is connected', () => {
    const { account, setLink, unknown, me } = accountUnderTest()
    unknown()
    account.watch()
    expect(me.failure).not.toBeNull()
    setLink({ kind: 'live' })
    account.watch()
    expect(me.failure).toBeNull()
  })

  it('clears answers that belong to another user, once a change', () => {
    const { account, calls, known } = accountUnderTest()
    const stop = $effect.root(() => {
      $effect(() => account.follow())
    })
    flushSync()
    expect(calls).toEqual([])
    known()
    flushSync()
    known()
    flushSync()
    expect(calls).toEqual(['forget'])
    known('bob')
    flushSync()
    expect(calls).toEqual(['forget', 'forget'])
    stop()
  })

  it.each([
    {
      what: 'a sign-in',
      act: (account: Account) => account.signIn('a@b', 'pw'),
      sent: 'POST /api/auth/signin {"email":"a@b","password":"pw"}',
    },
    {
      what: 'a sign-up',
      act: (account: Account) => account.signUp('a@b', 'pw', ' '),
      sent: 'POST /api/signup {"email":"a@b","password":"pw"}',
    },
    {
      what: 'a sign-up with a name',
      act: (account: Account) => account.signUp('a@b', 'pw', 'Ann'),
      sent: 'POST /api/signup {"email":"a@b","password":"pw","name":"Ann"}',
    },
  ])('$what that succeeds starts a session; one that fails does not', async ({ act, sent }) => {
    const { account, calls, answers, setLink, known } = accountUnderTest()
    setLink(SIGNED_OUT)
    answers.push({ ok: false })
    expect((await act(account)).ok).toBe(false)
    expect([calls.splice(0), account.signInState]).toEqual([[sent], 'anonymous'])
    known('former')
    expect((await act(account)).ok).toBe(true)
    expect(calls).toEqual([sent, 'check', `refetch ${ME}`])
    expect([account.signInState, account.user]).toEqual(['unknown', null])
  })

  it('is requested again after a change that succeeds', async () => {
    const { account, calls, answers } = accountUnderTest()
    answers.push({ ok: false })
    await account.change({ name: 'A' })
    expect(calls.splice(0)).toEqual([`PATCH ${ME} {"name":"A"}`])
    await account.change({ name: 'A' })
    expect(calls).toEqual([`PATCH ${ME} {"name":"A"}`, `refetch ${ME}`])
  })

  it('is anonymous after a sign-out that succeeds', async () => {
    const { account, calls, answers, known, setLink } = accountUnderTest()
    await account.signIn('a@b', 'pw')
    known()
    setLink(SIGNED_OUT)
    answers.push({ ok: false })
    await account.signOut(false)
    expect(account.user?.id).toBe('ann')
    calls.length = 0
    await account.signOut(true)
    expect([account.signInState, calls]).toEqual([
      'anonymous',
      ['POST /api/auth/signout {"all":true}'],
    ])
  })
})
