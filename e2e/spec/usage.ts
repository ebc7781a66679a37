import { covered, type Requirement } from './requirement.ts'

/** Usage recorded per user. */
export const USAGE: readonly Requirement[] = [
  covered('usage.dashboard.auth', '4.2', 'usage is for its user only'),
  covered('usage.dashboard.period', '4.2', 'a period is a number of days up to today'),
  covered('usage.dashboard.routes', '4.2', 'requests count by the pattern of a route'),
  covered(
    'usage.dashboard.keys',
    '4.2',
    'requests count by key, revoked ones too, and for sessions',
  ),
  covered(
    'usage.dashboard.counted',
    '4.2',
    'failures and refusals count, anonymous callers do not',
  ),
  covered('usage.dashboard.latency', '4.2', 'latencies are accurate within five percent'),
  covered('usage.dashboard.models', '4.2', 'calls of language models count for the first caller'),
  covered('usage.dashboard.limits', '8', 'usage lists the open rate limit windows of its user'),
  covered('usage.dashboard.block-reason', '7', 'a refusal of the dashboard states its reason'),
  covered(
    'usage.dashboard.kept',
    '4.2',
    'usage is written within ten seconds and kept for 400 days',
  ),
]
