import { covered, type Requirement } from './requirement.ts'

/** Rate limits hold exactly under every sequence of requests. */
export const LIMITS: readonly Requirement[] = [
  covered('limits.evasion.burst', '8', 'a limit holds to the request under a parallel burst'),
  covered('limits.evasion.keys', '8', 'keys and sessions of a user share one limit'),
  covered('limits.evasion.address', '8', 'forged addresses and walks through a /64 change nothing'),
  covered('limits.evasion.path', '8', 'other spellings of a path change nothing'),
  covered('limits.evasion.credentials', '8', 'credential guesses are limited by address'),
  covered(
    'limits.evasion.unknown',
    '8',
    'credentials at routes that read none count for their user, failed ones for the address',
  ),
  covered('limits.evasion.everywhere', '8', 'each route has a declared limit or is a probe'),
  covered('limits.evasion.clock', '8', 'a jump of the wall clock changes nothing'),
  covered('limits.windows.several', '8', 'a request that one window refuses counts in none'),
  covered('limits.windows.bounded', '8', 'expired windows are dropped as others open'),
]
