import { randomBytes } from 'node:crypto'
import { CREDENTIAL_VENUES } from '../../../domain/credentials/credential-fields.ts'
import type { PortfolioConfig } from '../../../domain/portfolio/config.ts'
import { reconcileText } from '../../../domain/portfolio/risk-gates.ts'
import { DAY, MINUTE, SECOND, type Millis } from '../../../domain/units.ts'
import type { Venue } from '../../../domain/venue.ts'
import { isoOf, type Clock } from '../../../lib/clock.ts'
import { Conflict, Forbidden } from '../../../lib/errors.ts'
import type { AccountFiguresReader } from '../account-figures.ts'
import type { TicksStore } from '../autopilot/ticks.store.ts'
import type { ReadCredentialPresence } from '../credentials/credentials.ts'
import type { PortfolioRecord, PortfolioStore } from '../portfolio.store.ts'
import type { LiveDesk } from './live-desk.ts'
import {
  isLiveAt,
  liveAccountOf,
  withLiveAccount,
  type LiveExchange,
  type ReadLiveExchange,
} from './live-exchange.ts'

export const CONFIRM_PHRASE = 'TRADE LIVE'
const CONFIRMATION_LIFETIME = 5 * MINUTE
const MAX_PAPER_AGE = 7 * DAY
const MAX_CLOCK_OFFSET = 2 * SECOND

/** Limits that the confirmation shows: those of the gates and of the halt. */
const LIMITS = [
  'maxTotalExposureCents',
  'maxPerMarketCents',
  'maxSingleOrderCents',
  'maxDailyLossCents',
  'maxDrawdownHaltCents',
  'minBalanceCents',
  'maxPositions',
  'maxOrdersPerTick',
] as const satisfies readonly (keyof PortfolioConfig)[]
/** Limits of money that must be above zero. */
const MONEY_LIMITS = [
  'maxTotalExposureCents',
  'maxPerMarketCents',
  'maxSingleOrderCents',
  'maxDailyLossCents',
  'maxDrawdownHaltCents',
] as const satisfies readonly (keyof PortfolioConfig)[]

/** An unmet precondition of live trading. */
export interface UnmetPrecondition {
  readonly name: string
  readonly message: string
}

/** Body of a request that turns live trading on. */
export interface LiveRequest {
  readonly token: string | null
  readonly phrase: string | null
  /** Whether a person is signed in: a key cannot confirm. */
  readonly isPerson: boolean
}

/** The two steps of a person into live trading. */
export function createLiveMode(deps: {
  readonly portfolios: PortfolioStore
  readonly figures: AccountFiguresReader
  readonly ticks: TicksStore
  readonly desk: LiveDesk
  readonly credentials: ReadCredentialPresence
  readonly exchange: ReadLiveExchange
  readonly clock: Clock
}) {
  const { portfolios, figures, ticks, desk, credentials, exchange, clock } = deps
  /** Open confirmations, by user; a restart and each write of the configuration void them. */
  const tokens = new Map<string, { token: string; expiresAt: Millis }>()

  const venuesOf = async (userId: string, liveExchange: LiveExchange): Promise<Venue[]> => {
    if (liveExchange.openCredentials !== null) return [...CREDENTIAL_VENUES]
    const { credentials: hasCredentials } = await credentials(userId)
    return (Object.keys(hasCredentials) as Venue[]).filter((venue) => hasCredentials[venue])
  }

  /** Checks the account at the venues, again when the last check is a day old or did not end well. */
  const reconcileIfDue = async (userId: string, liveExchange: LiveExchange) => {
    const account = liveAccountOf(await portfolios.read(userId), liveExchange)
    const isRecent = account.reconciledAt !== null && clock.now() - account.reconciledAt <= DAY
    if (account.status === 'ok' && isRecent) return account
    return desk.open(userId, liveExchange, (session) => session.reconcile())
  }

  /**
   * The unmet preconditions, in the order in which a person meets them. The caller holds the user's
   * queue.
   */
  const unmet = async (userId: string): Promise<UnmetPrecondition[]> => {
    const unmetPreconditions: UnmetPrecondition[] = []
    const { config } = await portfolios.read(userId)
    const liveExchange = exchange()
    const now = clock.now()
    if (liveExchange === null) {
      const message =
        'no exchange is connected: a replay never trades live; start with --source live or demo'
      unmetPreconditions.push({ name: 'source', message })
    }
    if (!config.enabled) {
      unmetPreconditions.push({ name: 'enabled', message: 'turn the autopilot on first (enabled)' })
    }
    const venues = liveExchange === null ? [] : await venuesOf(userId, liveExchange)
    if (liveExchange !== null && venues.length === 0) {
      const message = 'store the credentials of an exchange first (SECRET)'
      unmetPreconditions.push({ name: 'credentials', message })
    }
    const account =
      liveExchange === null || venues.length === 0
        ? null
        : await reconcileIfDue(userId, liveExchange)
    if (account !== null && account.status !== 'ok') {
      unmetPreconditions.push({ name: 'reconcile', message: reconcileText(account) })
    }
    const last = await ticks.lastOnPaper(userId)
    if (last === null || now - last > MAX_PAPER_AGE) {
      const message = 'run the autopilot on paper first: no dry-run tick completed in 7 days'
      unmetPreconditions.push({ name: 'dry_run', message })
    }
    const unsetLimits = MONEY_LIMITS.filter((name) => config[name] <= 0)
    if (unsetLimits.length > 0) {
      unmetPreconditions.push({
        name: 'limits',
        message: `set limits above 0: ${unsetLimits.join(', ')}`,
      })
    }
    if (liveExchange !== null) {
      const { result, live } = await figures.live(userId, liveExchange)
      const drawdown = Math.max(live?.peak ?? result, result) - result
      if (drawdown / 10_000 >= config.maxDrawdownHaltCents) {
        const message = 'the drawdown of the account is at the limit at which trading halts'
        unmetPreconditions.push({ name: 'drawdown', message })
      }
    }
    const offset = account?.clockOffset ?? null
    if (account !== null && (offset === null || Math.abs(offset) > MAX_CLOCK_OFFSET)) {
      const message =
        offset === null
          ? 'the clock of the venue is not known'
          : `the clock differs from the venue's by ${(Math.abs(offset) / SECOND).toFixed(1)} s: set it`
      unmetPreconditions.push({ name: 'clock', message })
    }
    return unmetPreconditions
  }

  const fail = (unmetPreconditions: readonly UnmetPrecondition[]): Conflict =>
    new Conflict(
      `live trading cannot start: ${unmetPreconditions.map(({ message }) => message).join('; ')}`,
      'LIVE_PRECONDITION_FAILED',
      { failed: unmetPreconditions },
    )

  return {
    isLive: (portfolio: PortfolioRecord): boolean => isLiveAt(portfolio, exchange()),
    /**
     * The first step checks the preconditions and answers with the limits to confirm; the second one
     * confirms them. The caller holds the user's queue.
     * @returns what the portfolio stores for live trading
     * @throws Conflict for the first step, and for unmet preconditions; Forbidden for a key
     */
    async enter(
      userId: string,
      portfolio: PortfolioRecord,
      { token, phrase, isPerson }: LiveRequest,
    ): Promise<Pick<PortfolioRecord, 'live'>> {
      const now = clock.now()
      if (token === null && phrase === null) {
        tokens.delete(userId)
        const unmetPreconditions = await unmet(userId)
        const liveExchange = exchange()
        if (unmetPreconditions.length > 0 || liveExchange === null) throw fail(unmetPreconditions)
        const newToken = randomBytes(24).toString('base64url')
        const expiresAt = (now + CONFIRMATION_LIFETIME) as Millis
        tokens.set(userId, { token: newToken, expiresAt })
        throw new Conflict(
          'confirm live trading in the terminal (RISK, Trade live…): send the token and the typed phrase',
          'CONFIRMATION_REQUIRED',
          {
            confirmation: {
              token: newToken,
              phrase: CONFIRM_PHRASE,
              expiresAt: isoOf(expiresAt),
              limits: Object.fromEntries(LIMITS.map((name) => [name, portfolio.config[name]])),
              venues: await venuesOf(userId, liveExchange),
              sample: liveExchange.isSample,
            },
          },
        )
      }
      if (!isPerson) {
        throw new Forbidden(
          'live trading is confirmed by a person: use the terminal, signed in',
          'CONFIRM_IN_TERMINAL',
        )
      }
      const issuedToken = tokens.get(userId)
      const isValid = issuedToken !== undefined && issuedToken.expiresAt > now
      if (!isValid || issuedToken.token !== token || phrase !== CONFIRM_PHRASE) {
        // A wrong phrase does not use the token up; a wrong or old token needs the first step again.
        const isTyped = isValid && issuedToken.token === token
        throw new Conflict(
          isTyped
            ? `type the phrase exactly: ${CONFIRM_PHRASE}`
            : 'the confirmation is not valid any more: start again',
          'CONFIRMATION_REQUIRED',
        )
      }
      tokens.delete(userId)
      const unmetPreconditions = await unmet(userId)
      const liveExchange = exchange()
      if (unmetPreconditions.length > 0 || liveExchange === null) throw fail(unmetPreconditions)
      const portfolioRecord = await portfolios.read(userId)
      const account = liveAccountOf(portfolioRecord, liveExchange)
      return { live: withLiveAccount(portfolioRecord, { ...account, isConfirmed: true }) }
    },
    /** Voids the open confirmation of a user, because the configuration was written. */
    void(userId: string): void {
      tokens.delete(userId)
    },
    /** The end of a halt: the highest equity of the account at the exchange starts again. */
    liveStateAfterHalt(portfolio: PortfolioRecord): Pick<PortfolioRecord, 'live'> {
      const liveExchange = exchange()
      if (liveExchange === null) return { live: portfolio.live }
      const account = liveAccountOf(portfolio, liveExchange)
      const restartedAccount = { ...account, peak: null, maxDrawdownCents: 0, warnedAt: null }
      return { live: withLiveAccount(portfolio, restartedAccount) }
    },
  }
}
export type LiveMode = ReturnType<typeof createLiveMode>
