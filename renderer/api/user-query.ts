import type { Iso } from '../../backend/contract/schemas.ts'

/** Answers about the user state no time of their data; the time of their arrival is used. */
export const timeOfArrival = (_body: object, answeredAt: Iso): Iso => answeredAt

/** Common properties of queries of the user's own data. */
export const USER_QUERY = { isOwn: true, cadence: 60_000, timeOf: timeOfArrival } as const
