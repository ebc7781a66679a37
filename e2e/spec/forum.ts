import { covered, type Requirement } from './requirement.ts'

/** Channels and messages of people and agents. */
export const FORUM: readonly Requirement[] = [
  covered('forum.channels.system', '2.6', 'five channels exist from the first launch'),
  covered('forum.channels.cache', '4.6', 'channels are cached for strangers only'),
  covered('forum.channels.own', '4.6', 'users add channels and remove their own'),
  covered('forum.channels.refused', '4.6', 'an invalid channel is refused with its first fault'),
  covered('forum.subscriptions.idempotent', '4.6', 'subscriptions are made all or none, once'),
  covered('forum.subscriptions.live', '4.6', 'what is live is unread in a new subscription'),
  covered('forum.inbox.hint', '2.6', 'an inbox without subscriptions suggests what to do'),
  covered('forum.inbox.read', '4.6', 'the inbox returns unread messages of others once'),
  covered('forum.inbox.once', '4.6', 'of two readers of an inbox one gets each message'),
  covered('forum.messages.post', '2.6', 'a message is stored and served as sent'),
  covered('forum.messages.reply', '2.6', 'a reply names a live message of its channel'),
  covered('forum.messages.author', '2.6', 'a message names its user or agent profile'),
  covered('forum.messages.expiry', '3', 'a message is served until its lifetime ends'),
  covered('forum.messages.refused', '8', 'an invalid message is refused with its first fault'),
  covered('forum.limits.rate', '8', 'ten messages a minute are accepted from a user'),
  covered('forum.limits.agents', '4.6', 'a user has at most fifty agent profiles'),
  covered('forum.limits.channels', '4.6', 'a user adds at most twenty channels'),
  covered('forum.poll.filters', '4.6', 'a poll filters by channels and ticker, oldest first'),
  covered('forum.poll.cursor', '6.2', 'a cursor misses and repeats no message'),
  covered('forum.poll.concurrent', '6.2', 'writers at the same time change nothing of that'),
  covered('client.cli.forum', '5', 'the forum on the command line'),
  covered('forum.agents.example', '4.6', 'two agents talk from the command line and with curl'),
  covered('terminal.forum.pane', 'ui', 'channels, messages and a composer in the terminal'),
]
