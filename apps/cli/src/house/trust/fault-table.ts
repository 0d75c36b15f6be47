import type { NamedTest } from './named-tests.ts';

/** One fault at one moment, and the test that shows what comes of it. */
export interface FaultCell extends NamedTest {
  moment: string;
}

/** A fault, what must come of it at every moment, and the moments. */
export interface Fault {
  fault: string;
  expected: string;
  cells: readonly FaultCell[];
}

/** A cell for each moment whose name stands in the test's. */
const at = (file: string, moments: readonly string[], name: (moment: string) => string, of = ''): FaultCell[] =>
  moments.map((moment) => ({ moment: of ? `${of}: ${moment}` : moment, file, name: name(moment) }));

/** Cells of one file, each with a test of its own. */
const of = (file: string, cells: Readonly<Record<string, string>>): FaultCell[] =>
  Object.entries(cells).map(([moment, name]) => ({ moment, file, name }));

const engine = (file: string): string => `packages/engine/src/${file}`;
const api = (file: string): string => `apps/api/src/${file}`;
const intake = (file: string): string => `apps/intake/src/${file}`;
const faults = engine('faults.night.test.ts');
const commit = ['beforeCommit', 'insideCommit', 'afterCommit'];
const deaths = ['afterSpool', 'beforeStartCommit', 'afterStartCommit', 'beforeCursor', 'afterCursor'];

/** What can fail, and when (the moments are those of `packages/engine/src/failpoint.ts`, or said in words). */
export const faultTable: readonly Fault[] = [
  {
    fault: 'API killed while it takes a file',
    expected: 'no success was answered: repeated, it is one session; success was answered: the session is there',
    cells: [
      ...at(
        engine('crashes.test.ts'),
        ['afterSpool', 'beforeStartCommit', 'afterStartCommit'],
        (place) => `a delivery whose receiver is killed ${place} makes one session when it is delivered again`,
      ),
      ...of(api('uploads/two-processes.test.ts'), {
        'while a chunk is written':
          'after the process that wrote was killed, the other one goes on when its lease has ended',
      }),
      ...of(api('uploads/uploads.test.ts'), {
        'between the last byte and the session':
          'a process that ends between the last byte and the session loses nothing',
        'its last bytes were never flushed': 'after a crash it goes on from the smaller offset of row and file',
        'the last answer is lost': 'when the last answer is lost, repeating the request answers the same session',
        'the connection breaks': 'an interrupted upload goes on where its bytes ended, with the hash of the whole file',
      }),
      ...of(api('leftovers.test.ts'), {
        'what it leaves': 'what killed processes left is removed after a day; what is in use and what is stored stays',
      }),
      ...at(
        engine('effects/fetch/fetch.test.ts'),
        ['afterSpool', 'beforeStartCommit', 'afterStartCommit', 'insideEffectCommit', 'afterEffectCommit'],
        (place) => `a worker killed (SIGKILL) at ${place} leaves one session`,
        'fetched by its address',
      ),
      ...of(engine('effects/fetch/fetch.test.ts'), {
        'fetched by its address: in the middle of the download':
          'a worker killed in the middle of a download does not lose it',
      }),
    ],
  },
  {
    fault: 'Power cut while bytes are stored',
    expected: 'a name that is there has all of its bytes',
    cells: of('packages/storage/src/durability.test.ts', {
      'before the name': 'bytes are flushed before they get their name, all of them',
      'after the name': 'the folder is flushed after the name was given, and before anybody is told',
    }),
  },
  {
    fault: 'Worker killed',
    expected: 'the step runs again and counts once; nothing is lost, nothing twice',
    cells: [
      ...at(
        engine('crashes.test.ts'),
        ['afterClaim', 'whileRunning', ...commit],
        (place) => `a worker killed (SIGKILL) ${place} loses nothing and does nothing twice`,
        'any step',
      ),
      ...of(engine('crashes.test.ts'), {
        'at random, again and again': 'killed repeatedly at random moments: every session still completes once',
        'as it begins to wait': 'a worker killed (SIGKILL) while its step begins to wait: the session waits once',
      }),
      ...at(
        engine('crashes.test.ts'),
        ['beforeCommit', 'insideParts', 'insideCommit', 'afterCommit'],
        (place) => `while it divides a file ${place}: each part has exactly one session`,
        'it divides a file',
      ),
      ...at(engine('step-crashes.night.test.ts'), commit, (place) => `while it renames ${place}`, 'it renames'),
      ...at(engine('step-crashes.night.test.ts'), commit, (place) => `while it completes ${place}`, 'it completes'),
      ...at(
        engine('step-crashes.night.test.ts'),
        commit,
        (place) => `while it decides how long files are kept ${place}`,
        'it decides on retention',
      ),
      ...at(engine('step-crashes.night.test.ts'), commit, (place) => `while it names by numbers ${place}`, 'it counts'),
      ...at(
        engine('step-crashes.night.test.ts'),
        commit,
        (place) => `around a hold ${place}: the session waits once`,
        'it begins a hold',
      ),
      ...at(
        engine('step-crashes.night.test.ts'),
        ['insideWait', 'afterWait'],
        (place) => `around a hold ${place}: it is reminded of once, passed on once and decided once`,
        'a time of a hold comes',
      ),
      ...['Condition', 'Route'].flatMap((kind) =>
        at(
          engine('kind-crashes.night.test.ts'),
          commit,
          (place) => `while ${kind} decides ${place}`,
          `${kind} decides`,
        ),
      ),
      ...at(
        engine('kind-crashes.night.test.ts'),
        ['insideDecision', 'afterDecision'],
        (place) => `sets the variable that a hold waits for ${place}`,
        'a variable releases a hold',
      ),
      ...at(
        engine('kind-crashes.night.test.ts'),
        ['insideParts', 'insideCommit', 'afterCommit'],
        (place) => `by a worker killed (SIGKILL) ${place}: only the part that was canceled begins again`,
        'a file is divided again',
      ),
      ...at(
        engine('steps/send-on.test.ts'),
        ['afterClaim', ...commit],
        (place) => `a worker killed (SIGKILL) ${place} of the redirection begins one session`,
        'it sends on',
      ),
      ...at(
        engine('steps/known-at-run-time.test.ts'),
        commit,
        (place) => `a worker killed (SIGKILL) ${place} of the step gives the same number again`,
        'a running number',
      ),
      ...at(
        engine('proofs/crashes.night.test.ts'),
        ['insideCommit', 'afterCommit'],
        (place) => `killed ${place} of asking: one proof, one message for each`,
        'it asks about a proof',
      ),
      ...at(
        engine('proofs/crashes.night.test.ts'),
        ['insideDecision', 'insideWait', 'afterWait'],
        (place) => `killed ${place} of the deadline: one record, one end`,
        'the deadline of a proof',
      ),
      ...['a sequence', 'a gatekeeper'].flatMap((kind) =>
        at(
          engine('proofs/crashes.night.test.ts'),
          ['insideDecision', 'beforeDecisionCommit', 'afterDecision'],
          (place) => `killed ${place} of a decision by link with ${kind}`,
          `a decision with ${kind}`,
        ),
      ),
      ...at(
        engine('trial-crashes.night.test.ts'),
        ['afterClaim', 'whileRunning', ...commit],
        (place) => `a worker killed (SIGKILL) ${place} of the steps of a trial`,
        'a trial',
      ),
      ...of(engine('retention/retention.test.ts'), {
        'it removes files by a policy': 'sessions exactly the listed files go, whoever is killed meanwhile',
      }),
      ...of('apps/cli/src/house/house.test.ts', {
        'every process of an installation in turn':
          'each process that is killed is restarted, and no accepted file is lost',
      }),
    ],
  },
  {
    fault: 'Pump killed',
    expected: 'another worker rings; the step counts once',
    cells: [
      ...at(
        faults,
        ['insidePump', 'afterPump', 'afterRing'],
        (place) => `the pump is killed (SIGKILL) ${place}: another worker rings for the step, and it counts once`,
      ),
      ...of(engine('bell/doorbells.test.ts'), {
        'nobody comes for a ring': 'a step that was rung for in vain is rung for again, under another number',
        'Redis: the worker dies over a ring':
          'with BullMQ on Redis a ring whose worker is gone does not silence the next one',
        'Postgres: the worker dies over a ring':
          'with BullMQ on Postgres a ring whose worker is gone does not silence the next one',
      }),
    ],
  },
  {
    fault: 'Poller killed',
    expected: 'nothing is taken twice, nothing is skipped',
    cells: [
      ...at(
        intake('run-intake.test.ts'),
        deaths,
        (place) => `killed at ${place}: another takes over, nothing is taken twice, nothing is skipped`,
        'folder',
      ),
      ...at(
        intake('mailboxes.test.ts'),
        deaths,
        (place) => `killed at ${place}: nothing is taken twice, nothing is skipped`,
        'mailbox',
      ),
      ...at(
        intake('mailboxes.test.ts'),
        ['beforeStartCommit', 'afterStartCommit', 'beforeCursor'],
        (place) => `killed at ${place}: a sender is told once, of all that came`,
        'mailbox, answer',
      ),
      ...at(
        intake('mailboxes.test.ts'),
        deaths,
        (place) => `killed at ${place}: a message of the product that comes back is given up`,
        'mailbox, report of a server',
      ),
      ...at(
        intake('sftp-folders.test.ts'),
        deaths,
        (place) => `killed at ${place}: nothing is taken twice, nothing is skipped`,
        'SFTP',
      ),
      ...of(intake('sftp-folders.test.ts'), {
        'SFTP: in the middle of fetching':
          'killed in the middle of fetching: nothing is taken twice, nothing is skipped',
      }),
      ...at(
        intake('cloud-folders.test.ts'),
        deaths,
        (place) => `GoogleDrive killed at ${place}: nothing is taken twice, nothing is skipped`,
        'cloud',
      ),
      ...['GoogleDrive', 'OneDrive'].flatMap((provider) =>
        at(
          intake('cloud-folders.test.ts'),
          ['while it lists', 'while it downloads', 'while the original is moved'],
          (moment) => `${provider} killed ${moment}: nothing is taken twice, nothing is skipped`,
          provider,
        ),
      ),
    ],
  },
  {
    fault: 'Sender of an effect killed',
    expected: 'once more at most, under the same key; never lost',
    cells: [
      ...at(
        engine('effects/webhook/webhook.test.ts'),
        [...commit, 'beforeEffect', 'afterEffect', 'insideEffectCommit', 'afterEffectCommit'],
        (place) => `a worker killed (SIGKILL) ${place}: the call is repeated under its key, and decides once`,
        'call',
      ),
      ...of(engine('effects/webhook/webhook.test.ts'), {
        'call: inside the commit of its cause':
          'killed inside the commit of its cause, a call is neither recorded nor made',
        'call: its answer came and was not taken over':
          'after the answer came and before it was taken over: it is taken over once',
      }),
      ...at(
        engine('effects/chat/chat.test.ts'),
        ['beforeEffect', 'afterEffect', 'insideEffectCommit', 'afterEffectCommit'],
        (place) => `killed at ${place}: nothing is lost, and a channel reads no message more than twice`,
        'chat',
      ),
      ...at(
        engine('effects/communication/communication.test.ts'),
        ['beforeEffect', 'afterEffect', 'insideEffectCommit', 'afterEffectCommit'],
        (place) => `${place}: each reader gets one message`,
        'message',
      ),
      ...at(
        engine('effects/communication/communication.test.ts'),
        ['beforeEffect', 'afterEffect', 'insideEffectCommit', 'afterEffectCommit'],
        (place) => `${place}: each reader gets one digest with all in it`,
        'digest',
      ),
      ...at(
        engine('proofs/crashes.night.test.ts'),
        ['beforeEffect', 'afterEffect', 'insideEffectCommit', 'afterEffectCommit'],
        (place) => `killed ${place} of asking: one proof, one message for each`,
        'mail of a proof',
      ),
      ...['folder', 's3', 'sftp'].flatMap((kind) =>
        at(
          engine('effects/delivery/delivery.test.ts'),
          ['beforeEffect', ...(kind === 's3' ? [] : ['afterProgress']), 'afterEffect', 'insideEffectCommit'],
          (place) => `to a target of kind ${kind} a worker killed (SIGKILL) at ${place} leaves one file`,
          `delivery (${kind})`,
        ),
      ),
      ...of(engine('effects/delivery/delivery.test.ts'), {
        'delivery: the press has fetched it already':
          'a file that the press fetched before a killed worker could write that it lies there is not delivered once more',
      }),
      ...of(engine('effects/delivery/email.test.ts'), {
        'delivery by mail: some were written to':
          'a worker killed after some were written to writes to the others, and to nobody twice',
      }),
      ...of(engine('effects/mail/outbox.test.ts'), {
        'mail: lost while sending': 'when a worker is lost while sending, the outcome counts as unknown',
      }),
    ],
  },
  {
    fault: 'A process stands still (SIGSTOP) past its lease',
    expected: 'another takes over; the one that goes on writes nothing',
    cells: [
      ...of(engine('crashes.test.ts'), {
        'worker: beforeCommit':
          'a worker frozen past its lease finds its step taken over when it continues, and writes nothing',
      }),
      ...of(engine('effects/delivery/delivery.test.ts'), {
        'delivery: afterProgress':
          'a worker frozen past its lease writes nothing when it continues, and one file lies there',
      }),
      ...of(engine('effects/effects.test.ts'), {
        'effect: taken over meanwhile': 'an effect that another worker has taken over is ended by nobody else',
      }),
      ...of(intake('run-intake.test.ts'), {
        'poller: beforeCursor': 'a frozen process loses its inlet and writes no cursor when it continues',
      }),
      ...of('apps/cli/src/house/house.test.ts', {
        'worker of an installation': 'a worker that hangs is restarted, and its steps continue @night',
      }),
    ],
  },
  {
    fault: 'Redis',
    expected: 'no session is lost; work goes on without it, and with it again',
    cells: [
      ...of(engine('bell/doorbells.test.ts'), {
        'emptied while steps run': 'it is emptied while steps run',
        'emptied while nothing runs': 'it is emptied while nothing runs',
        'killed, and started again':
          'it is killed: sessions still complete; it is started again: the queue is used again',
        'may evict keys': 'a Redis that may evict keys is refused',
      }),
      ...of(engine('worker/watchdog.test.ts'), {
        'delivers nothing any more': 'a doorbell on Redis that delivers no more',
      }),
      ...of('apps/cli/src/house/house.test.ts', {
        'under a whole installation': 'emptying Redis, or stopping and restarting it, loses no session',
      }),
    ],
  },
  {
    fault: 'Postgres',
    expected: 'what was not answered is looked up; nothing twice; work goes on when it is back',
    cells: [
      ...of(engine('crashes.test.ts'), {
        'killed while steps run': 'Postgres restarted without warning while steps run',
        'the answer to a commit is lost':
          'an answer to a commit that is lost on the way is looked up, and nothing is done again',
      }),
      ...of(engine('postgres/postgres-errors.test.ts'), {
        'killed under every kind of statement':
          'whatever runs when Postgres is killed, every statement gets an answer in the end',
        'its disk is full': 'a full disk: that of Postgres',
      }),
    ],
  },
  {
    fault: 'Disk',
    expected: 'refused before it is full; what was acknowledged stays, and goes on',
    cells: [
      ...of('apps/cli/src/house/bad-days.night.test.ts', {
        'full under a whole installation':
          'with a full disk new files are refused, acknowledged ones are kept, and work goes on once there is space',
      }),
      ...of(api('sessions/sessions.test.ts'), {
        'less than a tenth free': 'a disk with less than a tenth free takes no file, and says when to come again',
      }),
      ...of(engine('promises.test.ts'), { 'full in a step': 'STORAGE_FULL 3 times: Completed after 4 attempts' }),
      ...of('packages/pdf/src/limited/limited.test.ts', {
        'full in a child': 'reports a full disk as such, not as a fault of the file',
      }),
      ...of('packages/storage/src/durability.test.ts', {
        'does not flush (EIO)': 'a disk that cannot flush (EIO) keeps nothing and tells of it',
      }),
      ...of(faults, {
        'has lost a file': 'the store has lost the bytes of a step: it waits for them, and goes on when they are back',
        'a bit has flipped':
          'the store holds a file of which a bit has changed: the step says so and uses none of it; the same file sent again heals it',
      }),
    ],
  },
  {
    fault: 'S3 store',
    expected: 'nothing counts as kept that was not seen to be; later it goes on',
    cells: [
      ...['down', '503', 'breaks off', 'answer lost'].flatMap((kind) =>
        Object.entries({
          put: 'keeps nothing that it was not seen to keep, and takes the same bytes later',
          get: 'gives no file to a step, and gives it whole later',
          remove: 'says so when bytes are to be removed, and removes them later',
        }).map(([moment, name]) => ({
          moment: `${kind} for long: ${moment}`,
          file: 'packages/storage/src/s3-faults.night.test.ts',
          name: `a store that fails for long (${kind}) ${name}`,
        })),
      ),
      ...at(
        'packages/storage/src/s3-faults.night.test.ts',
        ['down', '503', 'answer lost'],
        (kind) => `a store that fails once (${kind}) is asked again`,
        'once',
      ),
      ...of('packages/storage/src/s3-faults.night.test.ts', {
        'gives other bytes': 'a store that gives other bytes gives no file to a step',
        'has the bytes already': 'bytes that the store has are not sent again',
      }),
      ...of(engine('effects/archiving.test.ts'), {
        'archive: down': 'an archive that does not answer is tried for a day; then the session is as before',
        'archive: keeps other bytes': 'a copy that is not what was sent is found when it is read back, and made anew',
      }),
      ...of('packages/deliveries/src/deliveries.test.ts', {
        'delivery: changes bytes': 'to a target of kind s3 bytes that were changed on the way are found',
      }),
    ],
  },
  {
    fault: 'Mail server',
    expected: 'tried again with pauses; unknown: once more; then told',
    cells: [
      ...of(engine('effects/mail/outbox.test.ts'), {
        down: 'a server that is down is tried again, and the message arrives once it is back',
        'not ready (4xx)':
          'a server that is not ready is tried again with growing pauses; the message keeps its Message-ID',
        'refuses (5xx), three days': 'an address refused for good, or three days of failures, give a dead letter',
        'silent after DATA': 'a message that may have arrived is sent only once more, under the same Message-ID',
      }),
      ...of(engine('effects/communication/communication.test.ts'), {
        'refuses one of several readers': 'an address that is refused keeps nobody else from being written to',
      }),
      ...of('packages/mail/src/mail.test.ts', {
        'wrong password': 'a wrong password is told, a private host is not even asked',
      }),
    ],
  },
  {
    fault: 'Mailbox',
    expected: 'each attachment once; nothing is skipped; no loops',
    cells: [
      ...of(intake('mailboxes.test.ts'), {
        'numbers its mails anew, same mail twice':
          'the same mail twice, and mails that are numbered anew, make no second session',
        hangs: 'a server that hangs delays nobody, and its failing is told until it answers',
        'no room in the plan': 'files of a mail wait for room in the plan, their sender is told once',
      }),
      ...of('packages/sources/src/email/run.test.ts', {
        'a mail is removed meanwhile': 'a mail that somebody removes meanwhile is told, and holds nothing up',
        'our own mails come back': 'answers of programs, reports and own mails are not taken; orders of shops are',
        'reports of servers': 'a report of a server says which messages of ours did not arrive',
        'crash before the cursor':
          'after a crash before the cursor the same keys come again, and only then is the mail done with',
        'a mail waits': 'a mail that waits delays none of the later ones, and those are not looked at twice',
        'a poll fails': 'what a poll fails of is told, and a poll that is aborted ends',
      }),
    ],
  },
  {
    fault: 'Cloud folder',
    expected: 'once for each content; nothing is skipped',
    cells: ['GoogleDrive', 'OneDrive'].flatMap((provider) =>
      Object.entries({
        'listed twice, in pages': 'long lists come in pages; a file that a list names twice is taken once',
        'a page leads back to itself': 'a page that leads back to itself ends the poll instead of never ending',
        'cursor forgotten (410)': 'a cursor that the service no longer knows: the folder is listed',
        'signed out (401)': 'consent that was withdrawn needs a person; an access token that ended does not',
        'too many requests (429)': 'answered 429 with {}: waits 30 seconds',
        'down (500)': 'the service is down',
        'replaced while it is read':
          'a file that is replaced while it is read is refused, and taken whole the next time',
        'empty, then with content': 'an empty file is given five minutes',
        grows: 'a file that grows waits until it no longer does',
        'breaks off': 'a download that breaks off goes on where it was',
        'the folder is gone': 'a chosen folder that is gone',
        'crash before the cursor': 'killed before the cursor is stored, and while files wait: nothing is skipped',
      }).map(([moment, name]) => ({
        moment: `${provider}: ${moment}`,
        file: 'packages/sources/src/cloud/run.test.ts',
        name: `${provider} ${name}`,
      })),
    ),
  },
  {
    fault: 'The same request many times at once',
    expected: 'one has its way; the others are told',
    cells: [
      ...of(engine('promises.test.ts'), {
        deliver: 'deliveries the same one twenty times at once makes one session',
        decide: 'takes exactly one of many decisions, and tells the others who was first',
      }),
      ...at(
        faults,
        ['restart', 'delete', 'cancel', 'stop'],
        (command) =>
          `the same command twenty times at once ${command} happens as often as it was answered with success`,
      ),
      ...of(api('auth/auth.test.ts'), {
        refresh: 'refreshing from ten tabs at the same time gives all the same successor',
      }),
      ...of(api('auth/second-factor.test.ts'), {
        'second factor': 'of many requests with one code at once lets one in',
      }),
      ...of(api('upload-pages/upload-pages.test.ts'), {
        submit: 'two submissions at the same moment begin one session',
      }),
      ...of(engine('sessions/arriving.test.ts'), {
        'same bytes, refused twice': 'twenty at the same time with the same bytes: one is taken',
      }),
      ...of(engine('plans/plans.test.ts'), {
        quota: 'no more files of a month are taken than the plan says, however many come at the same moment',
      }),
    ],
  },
  {
    fault: 'A clock that is wrong',
    expected: 'no outcome changes',
    cells: [
      ...at(
        engine('crashes.test.ts'),
        ['10', '-10', '60', '-60'],
        (minutes) => `a worker whose clock is wrong by ${minutes} minutes changes nothing`,
        'worker, minutes',
      ),
      ...of(engine('waits/keep-time.test.ts'), {
        'times of a hold': 'the times of a hold are counted from the moment it began, by the clock of Postgres',
      }),
      ...['GoogleDrive', 'OneDrive'].map((provider) => ({
        moment: `access token of ${provider}`,
        file: 'packages/sources/src/cloud/run.test.ts',
        name: `${provider} an access token ends by the time that has passed, however wrong the clock is`,
      })),
    ],
  },
  {
    fault: 'A file that is made to harm',
    expected: 'a stable code within the limits; the worker lives',
    cells: [
      ...of('packages/tasks/src/poison.test.ts', {
        'malicious files': 'give a valid result or a fault with a code, without crash, timeout or exceeded memory',
      }),
      ...of('packages/tasks/src/hostile-files.night.test.ts', {
        'malicious files, every task': 'malicious files through every task',
        'damaged files, every task': 'damaged files, each through one task after the other',
      }),
      ...of(engine('promises.test.ts'), {
        'its child crashes once': 'PDF_CRASH 1 times: Completed after 2 attempts',
        'its child crashes twice': 'PDF_CRASH 2 times: Failed after 2 attempts',
        'its child runs out of memory': 'PDF_MEMORY 2 times: Failed after 2 attempts',
        'its worker dies six times': 'a step whose workers are lost repeatedly ends with a code of its own',
        'it writes outside of its folder': 'a file that a step writes outside of its folder is refused',
      }),
      ...of('apps/cli/src/house/bad-days.night.test.ts', {
        'it takes too long': 'a PDF that takes too long to read fails at the time limit',
      }),
    ],
  },
  {
    fault: 'People and steps at the same moment',
    expected: 'people win; what ends later changes nothing',
    cells: [
      ...at(
        faults,
        ['stop', 'delete', 'cancel'],
        (command) => `a command comes while a worker stands before its commit ${command} wins`,
        'before its commit',
      ),
      ...of(engine('promises.test.ts'), {
        'stop while it runs': 'stop takes the step from its worker at once; resume lets it run again',
        'delete or restart while it runs':
          'a step that ends after its session was deleted or restarted changes nothing',
        'restart against a decision': 'waiting is refused after delete and after restart',
        'an older version of the session':
          'a command for an older version of the session is refused, and so is what the status does not allow',
        'all kinds at random': 'commands of all kinds at random against running workers leave every session consistent',
        'a workflow is changed': 'a session keeps the workflow version it started with',
      }),
      ...of(api('auth/auth.test.ts'), {
        'roles are changed': 'a change of roles applies to tokens that were issued before',
      }),
      ...of(engine('effects/webhook/webhook.test.ts'), {
        'cancel while a call waits': 'a session that is cancelled while its step waits calls nobody any more',
      }),
      ...of(engine('model.test.ts'), {
        'random histories against a model': 'for any sequence of commands the engine does what the model predicts',
      }),
    ],
  },
  {
    fault: 'Two releases at once',
    expected: 'steps of a newer release wait for a newer worker',
    cells: [
      ...of(engine('promises.test.ts'), {
        'an older worker': 'a worker that is one version behind leaves newer steps to the other worker',
      }),
      ...of('prisma/src/migrate.test.ts', {
        'a database of a newer release': 'that a newer release used is told apart and left as it is',
        'several processes migrate': 'is migrated once when several processes start together',
        'a migration fails': 'leaves nothing, names itself and its line, and is applied once it is mended',
      }),
    ],
  },
  {
    fault: 'Workers are told to stop (SIGTERM)',
    expected: 'no step is lost or tried again',
    cells: [
      ...of(engine('crashes.test.ts'), {
        'in the middle of a step': 'a worker that is told to stop gives its steps back as never tried',
      }),
      ...of(faults, { 'a dozen times': 'workers told to stop (SIGTERM) one after the other, a dozen times' }),
      ...of(intake('run-intake.test.ts'), { poller: 'when told to stop, it gives its inlets back at once' }),
    ],
  },
  {
    fault: 'Services of others',
    expected: 'told, tried again, and nobody else is delayed',
    cells: [
      ...of(engine('effects/webhook/webhook.test.ts'), {
        'a web address fails':
          'a fault that passes is tried again, five times at most, then the session fails and says why',
      }),
      ...of(api('single-sign-on/single-sign-on.test.ts'), {
        'the sign-in service is down': 'a service that is down is told as such, before and after the person was there',
      }),
      ...of(engine('effects/chat/chat.test.ts'), {
        'a chat service is busy': 'a service that is busy or breaks off is asked again; one that refuses is not',
      }),
      ...of(engine('effects/delivery/delivery.test.ts'), {
        'a target cannot be reached':
          'what cannot be delivered is tried again, given up and told; a person sends it once more',
      }),
      ...of(intake('run-intake.test.ts'), {
        'a source hangs': 'a source with .hang is aborted at its limit and delays no other',
        'a source hangs in a download': 'a source with .hang-download is aborted at its limit and delays no other',
      }),
    ],
  },
  {
    fault: 'Everything at random',
    expected: 'of all files each is one session',
    cells: of(intake('chaos.test.ts'), {
      'all ways in at once': 'files come by all sources at once while something fails every few seconds',
    }),
  },
];
