/** One figure of a campaign, for the table of docs/reliability.md. */
export interface TortureFigure {
  readonly name: string
  readonly value: number | string
  /** What must hold, in words; absent for figures that are only reported. */
  readonly goal?: string
  readonly met?: boolean
}

/** A run that tries to break one promise of the service, as long as it is told to. */
export interface TortureCampaign {
  readonly name: string
  /** One line for the list of campaigns. */
  readonly about: string
  /** Rounds of a whole campaign; tests run fewer. */
  readonly rounds: number
  /**
   * @param rounds how often to strike
   * @param seed for everything random, so that a failure can be run again
   * @param say progress for people
   */
  run(options: {
    rounds: number
    seed: number
    say: (line: string) => void
  }): Promise<readonly TortureFigure[]>
}
