import { covered, open, type Requirement } from './requirement.ts'

/** The whole service at a stored time. */
export const REPLAY: readonly Requirement[] = [
  covered('replay.step.only-when-told', '7.5', 'in step mode time moves when it is told to'),
  covered('replay.lookahead.cut', '7.5', 'what is stored of later changes no answer'),
  covered('replay.lookahead.as-of', '7.5', 'answers are those that asOf gives later'),
  covered('replay.input.refused', '7.5', 'what cannot be done is refused with its reason'),
  covered('replay.control.run', '7.5', 'a replay runs at a speed and stands when it is told to'),
  covered('replay.control.seek', '7.5', 'a seek forgets what came after and begins streams anew'),
  covered('replay.speed.max', '7.5', 'a replay runs to its end as fast as it can'),
  covered('replay.start.range', '7.5', 'a replay begins where something is stored'),
  covered('replay.clock.virtual', '7.5', 'whoever waits for data waits in their time'),
  covered('replay.access.keys', '0.1', 'users and active keys go along, and nothing else'),
  covered('replay.client.verbs', '7.3', 'a replay is started and driven from the command line'),
  covered('replay.routes.elsewhere', '7.5', 'a service that is no replay says so'),
  open(
    'replay.speed.goal',
    '7.5',
    'a day of 50 markets at 20,000 times real time',
    'a measure that no machine’s load decides: bench/results/replay.json has the figure',
  ),
  covered('replay.report.agent', '7.5', 'what an agent did is reported as a backtest is'),
  covered('replay.report.own', '7.5', 'a report is of one user, and only they read it'),
  covered('replay.report.kept', '7.5', 'a report outlives its replay as the files of a backtest'),
  covered('replay.client.report', '7.3', 'the command line prints a report and writes its page'),
  covered('replay.agent.example', '7.5', 'one script trades in a replay and in a demo, unchanged'),
  covered('replay.record.again', '7.5', 'a replay is recorded, and comes to the same report again'),
  covered('replay.record.refused', '7.5', 'a recording that cannot be kept or run says why'),
  covered('replay.start.held', '7.5', 'a folder that a service holds is refused with exit 3'),
  covered('replay.socket.world', '7.5', 'the world is told over the socket in a replay'),
]
