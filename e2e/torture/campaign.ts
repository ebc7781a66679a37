/** One figure of a campaign, for the table of docs/reliability.md. */
export interface TortureFigure {
  readonly name: string
  readonly value: number | string
  /** The condition that must hold, as text; absent for figures that are only reported. */
  readonly goal?: string
  readonly met?: boolean
}

/** A long run that tries to break one promise of the service. */
export interface TortureCampaign {
  readonly name: string
  /** One line for the list of campaigns. */
  readonly about: string
  /** Rounds of a whole campaign; tests run fewer. */
  readonly rounds: number
  /** A run without `--seed` draws one at random; absent for campaigns that start with 1. */
  readonly isRandom?: boolean
  /**
   * @param rounds number of attempts
   * @param seed for everything random, so that a failure can be reproduced
   * @param log prints progress
   */
  run(options: {
    rounds: number
    seed: number
    log: (line: string) => void
  }): Promise<readonly TortureFigure[]>
}
