"""The system calls of x86-64 that the filter names, by number."""

# Allowed whatever their arguments. Files are guarded by Landlock; what changes
# a file's mode, owner or times by its path is not, and so is not here. Nor is
# what gives a file a mode: the filter looks at it.
ALLOWED = """
read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2
close close_range lseek ftruncate fsync fdatasync
sync_file_range fadvise64 readahead sendfile copy_file_range flock
stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2
getdents getdents64 getcwd chdir fchdir readlink readlinkat umask
rmdir unlink unlinkat rename renameat renameat2
getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
dup dup2 dup3 pipe pipe2 poll ppoll select pselect6
epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime
signalfd signalfd4
mmap mprotect munmap mremap madvise msync mincore brk membarrier
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait
rt_sigsuspend sigaltstack restart_syscall pause
alarm getitimer setitimer timer_create timer_settime timer_gettime
timer_getoverrun timer_delete
nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times
getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid
getgroups getpgid getpgrp getsid getrusage getrlimit setrlimit getpriority
sched_yield sched_getaffinity sched_getparam sched_getscheduler
sched_get_priority_max sched_get_priority_min getcpu sysinfo uname
futex futex_waitv set_robust_list get_robust_list set_tid_address rseq
getrandom wait4 waitid exit exit_group
""".split()

# On sockets that a process has already; none opens or connects another.
ON_SOCKETS = """
accept accept4 sendto recvfrom sendmsg recvmsg shutdown getsockname getpeername
getsockopt setsockopt
""".split()

# What a program makes at its start, too.
OF_PROGRAM = ["arch_prctl", *ON_SOCKETS]

# Only until it is ready, before it has seen a workbook.
AT_START = "bind connect listen fork vfork execve".split()

# Of a process that forks others and confines them.
OF_ZYGOTE = [*ON_SOCKETS, *"""
fork kill tgkill prlimit64 prctl capget capset setsid setgroups setresuid
setresgid pidfd_open seccomp landlock_create_ruleset landlock_add_rule
landlock_restrict_self
""".split()]

# What nobody does who starts programs, also bubblewrap, and what would be of
# use to whoever took over such a process.
REFUSED_TO_HOST = """
ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp bpf perf_event_open
userfaultfd io_uring_setup io_uring_enter io_uring_register add_key request_key
keyctl kexec_load kexec_file_load init_module finit_module delete_module reboot
swapon swapoff iopl ioperm open_by_handle_at acct quotactl settimeofday
clock_settime adjtimex clock_adjtime syslog fanotify_init mknod mknodat
""".split()

NUMBERS = dict(pair.split("=") for pair in """
read=0 write=1 open=2 close=3 stat=4 fstat=5 lstat=6 poll=7 lseek=8 mmap=9
mprotect=10 munmap=11 brk=12 rt_sigaction=13 rt_sigprocmask=14 rt_sigreturn=15
ioctl=16 pread64=17 pwrite64=18 readv=19 writev=20 access=21 pipe=22 select=23
sched_yield=24 mremap=25 msync=26 mincore=27 madvise=28 dup=32 dup2=33
pause=34 nanosleep=35 getitimer=36 alarm=37 setitimer=38 getpid=39 sendfile=40
clone=56 exit=60 wait4=61 kill=62 uname=63 fcntl=72 flock=73 fsync=74
fdatasync=75 ftruncate=77 getdents=78 getcwd=79 chdir=80 fchdir=81 rename=82
mkdir=83 rmdir=84 creat=85 unlink=87 readlink=89 chmod=90 fchmod=91 umask=95
gettimeofday=96 getrlimit=97 getrusage=98 sysinfo=99 times=100 getuid=102
getgid=104 geteuid=107 getegid=108 getppid=110 getpgrp=111 getgroups=115
getresuid=118 getresgid=120 getpgid=121 getsid=124 rt_sigpending=127
rt_sigtimedwait=128 rt_sigsuspend=130 sigaltstack=131 utime=132 statfs=137
fstatfs=138 getpriority=140 sched_getparam=143 sched_getscheduler=145
sched_get_priority_max=146 sched_get_priority_min=147 prctl=157 setrlimit=160 arch_prctl=158 connect=42 accept=43 sendto=44
recvfrom=45 sendmsg=46 recvmsg=47 shutdown=48 bind=49 listen=50 getsockname=51
getpeername=52 setsockopt=54 getsockopt=55 socket=41 fork=57 vfork=58
execve=59 accept4=288 seccomp=317
gettid=186 readahead=187 getxattr=191 lgetxattr=192 fgetxattr=193
listxattr=194 llistxattr=195 flistxattr=196 time=201 futex=202
sched_getaffinity=204 epoll_create=213 getdents64=217 set_tid_address=218
restart_syscall=219 fadvise64=221 timer_create=222 timer_settime=223
timer_gettime=224 timer_getoverrun=225 timer_delete=226 clock_gettime=228
clock_getres=229 clock_nanosleep=230 exit_group=231 epoll_wait=232
epoll_ctl=233 tgkill=234 utimes=235 waitid=247 openat=257 mkdirat=258
futimesat=261 newfstatat=262 unlinkat=263 renameat=264 readlinkat=267
fchmodat=268 faccessat=269 pselect6=270 ppoll=271 set_robust_list=273
get_robust_list=274 sync_file_range=277 utimensat=280 epoll_pwait=281
signalfd=282 timerfd_create=283 eventfd=284 timerfd_settime=286
timerfd_gettime=287 signalfd4=289 eventfd2=290 epoll_create1=291 dup3=292
pipe2=293 preadv=295 pwritev=296 prlimit64=302 getcpu=309 renameat2=316
getrandom=318 membarrier=324 copy_file_range=326 preadv2=327 pwritev2=328
statx=332 rseq=334 clone3=435 close_range=436 openat2=437 faccessat2=439
epoll_pwait2=441 futex_waitv=449
setsid=112 setgroups=116 setresuid=117 setresgid=119 capget=125 capset=126
pidfd_open=434 landlock_create_ruleset=444 landlock_add_rule=445
landlock_restrict_self=446
ptrace=101 syslog=103 mknod=133 adjtimex=159 acct=163 settimeofday=164
swapon=167 swapoff=168 reboot=169 iopl=172 ioperm=173 init_module=175
delete_module=176 quotactl=179 clock_settime=227 kexec_load=246 add_key=248
request_key=249 keyctl=250 mknodat=259 perf_event_open=298 fanotify_init=300
open_by_handle_at=304 clock_adjtime=305 process_vm_readv=310
process_vm_writev=311 kcmp=312 finit_module=313 kexec_file_load=320 bpf=321
userfaultfd=323 io_uring_setup=425 io_uring_enter=426 io_uring_register=427
pidfd_getfd=438
""".split())
NUMBERS = {name: int(number) for name, number in NUMBERS.items()}
NEWEST = 450  # the last number of the table that ALLOWED was chosen from
