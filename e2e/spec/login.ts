import { covered, type Requirement } from './requirement.ts'

/** Login of the command line by one-time session token. */
export const LOGIN: readonly Requirement[] = [
  covered('login.cli.states', '3', 'each state handles each event as its table states'),
  covered('login.cli.key', '4.4', 'a login issues a key of the user who completed it'),
  covered('login.cli.expiry', '3', 'a login is open for five minutes; an unfetched key is revoked'),
  covered('login.cli.once', '3', 'of concurrent polls or completions one succeeds'),
  covered('login.cli.reuse', '7', 'a token can be used once within 24 hours'),
  covered('login.cli.restart', '3', 'logins survive a restart'),
  covered('login.cli.open-limit', '8', 'at most a hundred logins are open'),
  covered('login.cli.key-limit', '4.4', 'a login creates no key beyond the limit'),
  covered('login.cli.token', '8', 'tokens have 32 to 4096 characters and are compared exactly'),
  covered(
    'login.cli.bodies',
    '7',
    'malformed bodies and polls are refused with the messages of the table',
  ),
  covered('login.cli.session-only', '5', 'only a session completes a login'),
  covered('login.cli.csrf', '5', 'completing by cookie requires an Origin of ours'),
  covered('login.cli.poll-limit', '8', 'polls count by token and by address'),
  covered(
    'login.cli.secrets',
    '5',
    'neither token nor key of a login is stored in clear or logged',
  ),
]
