import type { StrategyProgress } from '../../../domain/theses/closed-loop.ts'
import type { Millis } from '../../../domain/units.ts'

/** Trading of strategies, as the portfolio offers it to theses. */
export interface StrategyTrading {
  /** Traded amounts of a user's strategies, in the account that they trade with now. */
  progress(
    userId: string,
    until?: Millis | null,
  ): Promise<{
    readonly mode: 'paper' | 'live'
    readonly byStrategy: ReadonlyMap<string, StrategyProgress>
  }>
  /** Creates an intent; it meets the limits of every intent. */
  createIntent(userId: string, body: object): Promise<unknown>
  /**
   * Cancels the open intents that the heartbeat of a thesis created.
   * @param reason the `statusReason` of the intents
   */
  cancelIntended(userId: string, thesisId: string, sourceId: string, reason: string): Promise<void>
}
