import { app, type ArgSpec, type CommandSpec } from '../command-spec.ts'

export const THESIS_ACTIONS = ['new', 'latest'] as const
export const THESIS_PARTS = [
  'tree',
  'graph',
  'edges',
  'strategies',
  'history',
  'signals',
  'publication',
  'heartbeat',
] as const
export type ThesisPart = (typeof THESIS_PARTS)[number]

const id: ArgSpec = {
  name: 'id',
  kind: 'thesis',
  help: 'thesis id or its first 8 digits; by default the one shown',
}
const thesis = (
  row: Pick<CommandSpec, 'verb' | 'title' | 'route' | 'help' | 'example'> & Partial<CommandSpec>,
): CommandSpec => app({ area: 'Theses', args: [id], ...row })

/**
 * The user's theses. The pane of a thesis shows what a writing command will do, and writes after a
 * second Enter.
 */
export const THESIS_COMMANDS: readonly CommandSpec[] = [
  thesis({
    verb: 'THES',
    aliases: ['THESIS', 'THESES'],
    title: 'Theses',
    effect: 'read',
    route: '/api/thesis',
    args: [
      { name: 'action', kind: 'enum', values: THESIS_ACTIONS, help: 'new form, or latest thesis' },
      { name: 'part', kind: 'enum', values: THESIS_PARTS, help: 'section of a thesis' },
      { ...id, help: 'thesis id or its first 8 digits' },
    ],
    help: 'Your theses: new opens the form, an id shows its tree, edges, strategies and history',
    example: 'THES latest edges',
  }),
  thesis({
    verb: 'TREE',
    title: 'Tree',
    effect: 'read',
    route: '/api/thesis/{id}',
    help: 'Conditions of a thesis with their probabilities',
    example: 'TREE',
  }),
  thesis({
    verb: 'WHATIF',
    title: 'What if',
    route: null,
    takesParams: 'probability of a condition',
    help: 'Confidence and edges under other probabilities; nothing is stored until you save',
    example: 'WHATIF n1=40% n2=10%',
  }),
  thesis({
    verb: 'SIG',
    title: 'Signal',
    effect: 'write',
    route: '/api/thesis/{id}/signal',
    help: 'Add evidence that the next evaluation reads',
    example: 'SIG',
  }),
  thesis({
    verb: 'EVAL',
    title: 'Evaluate',
    effect: 'write',
    route: '/api/thesis/{id}/evaluate',
    help: 'Evaluate a thesis now by its signals and markets; press Enter again to confirm',
    example: 'EVAL',
  }),
  thesis({
    verb: 'AUG',
    title: 'Augment',
    effect: 'write',
    route: '/api/thesis/{id}/augment',
    help: 'Add conditions from nearby markets or by the model; their weight is 0 until you set it; press Enter again to confirm',
    example: 'AUG',
  }),
  thesis({
    verb: 'FORK',
    title: 'Fork',
    effect: 'write',
    route: '/api/thesis/{id}/fork',
    help: 'Copy a thesis with its tree and edges and open the copy, or continue it under another claim; press Enter again to confirm',
    example: 'FORK',
  }),
  thesis({
    verb: 'HB',
    title: 'Heartbeat',
    effect: 'read',
    route: '/api/thesis/{id}/heartbeat',
    help: 'Scheduled evaluations of a thesis: timer, cost and trading',
    example: 'HB',
  }),
  thesis({
    verb: 'PUB',
    title: 'Publish',
    effect: 'write',
    route: '/api/thesis/{id}/publish',
    help: 'Make a thesis public, after a preview',
    example: 'PUB',
  }),
  thesis({
    verb: 'UNPUB',
    title: 'Unpublish',
    effect: 'write',
    route: '/api/thesis/{id}/publish',
    help: 'Make a thesis private again; press Enter again to confirm',
    example: 'UNPUB',
  }),
]
