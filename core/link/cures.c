#include "core/link/cures.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RULES "/etc/udev/rules.d/60-wsntop.rules"

/* --- the facts -------------------------------------------------------------------------------- */

static bool in_session(gid_t gid)
{
	gid_t groups[256];
	int n = getgroups(256, groups);

	if (getegid() == gid)
		return true;
	for (int i = 0; i < n; i++)
		if (groups[i] == gid)
			return true;
	return false;
}

static bool in_group_file(const struct group *g, const char *user)
{
	for (char *const *m = g->gr_mem; m && *m; m++)
		if (strcmp(*m, user) == 0)
			return true;
	return false;
}

void cures_look(struct cure_facts *f, const struct stat *st)
{
	const struct passwd *user = getpwuid(getuid());
	char login[64] = "";
	const struct group *g;

	f->mode = st->st_mode;
	f->group[0] = '\0';
	if (user)
		snprintf(login, sizeof(login), "%s", user->pw_name);
	g = st->st_gid ? getgrgid(st->st_gid) : NULL;
	if (!g)
		return;
	snprintf(f->group, sizeof(f->group), "%s", g->gr_name);
	f->member = in_group_file(g, login);
	f->session = in_session(st->st_gid);
}

/* --- the sentences ---------------------------------------------------------------------------- */

void cures_denied(const struct cure_facts *f, char *dst, size_t size)
{
	bool by_group = f->group[0] && f->mode & S_IRGRP;

	if (!S_ISCHR(f->mode))
		snprintf(dst, size, "permission denied: you need read access");
	else if (by_group && f->member && !f->session)
		snprintf(dst, size, "permission denied: you joined group %s after this session "
			 "started: log in again", f->group);
	else if (by_group && !f->session)
		snprintf(dst, size, "permission denied: add yourself to group %s (sudo usermod -aG "
			 "%s $USER) and log in again", f->group, f->group);
	else if (f->vendor)
		snprintf(dst, size, "permission denied: only root may open it; put "
			 "SUBSYSTEM==\"tty\", ATTRS{idVendor}==\"%04x\", "
			 "ATTRS{idProduct}==\"%04x\", "
			 "TAG+=\"uaccess\" in " RULES " and plug it in "
						      "again", f->vendor, f->product);
	else
		snprintf(dst, size, "permission denied: only its owner may open it");
}

void cures_manager(unsigned vendor, unsigned product, char *dst, size_t size)
{
	if (vendor)
		snprintf(dst, size, "ModemManager runs and may talk to it; put "
			 "ATTRS{idVendor}==\"%04x\", ATTRS{idProduct}==\"%04x\", "
			 "ENV{ID_MM_DEVICE_IGNORE}=\"1\" in " RULES
			 " and plug it in again", vendor, product);
	else
		snprintf(dst, size, "ModemManager runs and may talk to it: sudo systemctl stop "
			 "ModemManager");
}
