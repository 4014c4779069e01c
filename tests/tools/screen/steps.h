/*
 * steps: what a script may say; each is a row of the table in main.c, which also says what it does.
 */
#ifndef WSNTOP_TESTS_SCREEN_STEPS_H
#define WSNTOP_TESTS_SCREEN_STEPS_H

/* keys.c */
void step_keys(const char *arguments);
void step_send(const char *arguments);
void step_click(const char *arguments);
void step_drag(const char *arguments);

/* looks.c */
void step_wait(const char *arguments);
void step_gone(const char *arguments);
void step_expect(const char *arguments);
void step_look(const char *arguments);
void step_colors(const char *arguments);
void step_same(const char *arguments);
void step_looks(const char *arguments);
void step_show(const char *arguments);

/* answer.c */
void step_answer(const char *arguments);
void step_reach(const char *arguments);

/* copied.c */
void step_copied(const char *arguments);
void step_passed(const char *arguments);

/* program.c */
void step_size(const char *arguments);
void step_run(const char *arguments);
void step_signal(const char *arguments);
void step_pause(const char *arguments);
void step_idle(const char *arguments);
void step_quiet(const char *arguments);
void step_bytes(const char *arguments);
void step_rate(const char *arguments);
void step_ascii(const char *arguments);
void step_exit(const char *arguments);
void step_hangup(const char *arguments);
void step_stopped(const char *arguments);
void step_whole(const char *arguments);

/* cast.c */
void step_cast(const char *path);
void step_mark(const char *text);
void step_cast_end(const char *arguments);

/* monkey.c */
void step_monkey(const char *arguments);

#endif
