const HOUR = 3_600_000

/** Jumps in ms: manual, by a day, a leap second, NTP steps, to the end of 32-bit seconds. */
export const JUMPS: readonly { readonly name: string; readonly span: (now: number) => number }[] = [
  { name: 'an hour ahead, as daylight saving on a wrong clock', span: () => HOUR },
  { name: 'an hour back', span: () => -HOUR },
  { name: 'a day back', span: () => -24 * HOUR },
  { name: 'a leap second back', span: () => -1_000 },
  { name: 'an NTP step of half a second', span: () => 500 },
  { name: 'to 2038-01-19', span: (now) => 2_147_483_647_000 + HOUR - now },
]
