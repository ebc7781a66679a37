import { covered, open, type Requirement } from './requirement.ts'

/** The whole service at a stored time. */
export const REPLAY: readonly Requirement[] = [
  covered('replay.step.only-on-request', '7.5', 'in step mode time moves on request only'),
  covered('replay.lookahead.cut', '7.5', 'later stored rows change no response'),
  covered('replay.lookahead.as-of', '7.5', 'responses are those that asOf returns later'),
  covered('replay.input.refused', '7.5', 'invalid moves are refused with their reason'),
  covered('replay.control.run', '7.5', 'a replay runs at a speed and pauses on request'),
  covered('replay.control.seek', '7.5', 'a seek drops what came after and restarts streams'),
  covered('replay.speed.max', '7.5', 'a replay runs to its end at full speed'),
  covered('replay.start.range', '7.5', 'a replay starts where something is stored'),
  covered('replay.clock.virtual', '7.5', 'timers wait in data time'),
  covered('replay.access.keys', '0.1', 'users and active keys are copied, and nothing else'),
  covered('replay.client.verbs', '7.3', 'a replay is started and driven from the command line'),
  covered('replay.client.owner', '7.3', 'commands of the owner reach the replay of the folder'),
  covered('replay.routes.elsewhere', '7.5', 'a service that is not a replay reports that'),
  open(
    'replay.speed.goal',
    '7.5',
    'a day of 50 markets at 20,000 times real time',
    'a measure that no machine’s load decides: bench/results/replay.json has the figure',
  ),
  covered('replay.report.agent', '7.5', 'trades of an agent are reported like a backtest'),
  covered('replay.report.own', '7.5', 'a report is of one user, and readable by them only'),
  covered('replay.report.kept', '7.5', 'a report persists as the files of a backtest'),
  covered('replay.client.report', '7.3', 'the command line prints a report and writes its page'),
  covered('replay.agent.example', '7.5', 'one script trades in a replay and in a demo, unchanged'),
  covered('replay.record.again', '7.5', 'a replay is recorded, and gives the same report again'),
  covered(
    'replay.record.refused',
    '7.5',
    'a recording that cannot be written or replayed explains why',
  ),
  covered('replay.start.held', '7.5', 'a folder that a service has locked is refused with exit 3'),
  covered('replay.socket.world', '7.5', 'the world is sent over the socket in a replay'),
]
